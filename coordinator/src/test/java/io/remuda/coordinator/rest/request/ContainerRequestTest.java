package io.remuda.coordinator.rest.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.worker.job.CommandWorkload;
import io.remuda.worker.job.Workload;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The variables that a container gets whatever they are called. */
class ContainerRequestTest {

  private static List<Workload> tasks(Map<String, Object> job) {
    return JobRequest.of(job).toNewJob("ann", List.of()).tasks();
  }

  private static Set<String> variables(Workload task) {
    return ((CommandWorkload) task).container().variables();
  }

  @Test
  void they_are_named_beside_the_environment() {
    Map<String, Object> job =
        Map.of("shell", "x", "container", "img", "containerEnv", List.of("PATH", "HOME"));
    assertEquals(Set.of("HOME", "PATH"), variables(tasks(job).get(0)));
    Map<String, Object> usual = Map.of("shell", "x", "container", "img");
    assertEquals(Set.of(), variables(tasks(usual).get(0)));
  }

  @Test
  void those_of_a_role_are_its_own() {
    Map<String, Object> roles =
        Map.of("A", Map.of("env", Map.of("PATH", "/a")), "B", Map.of("count", 1));
    List<Workload> tasks =
        tasks(Map.of("shell", "x", "container", "img", "gang", Map.of("roles", roles)));
    assertEquals(
        Set.of(Set.of("PATH"), Set.of()), Set.of(variables(tasks.get(0)), variables(tasks.get(1))));
  }

  @Test
  void without_a_container_they_are_refused() {
    IllegalArgumentException no =
        assertThrows(
            IllegalArgumentException.class,
            () -> tasks(Map.of("shell", "x", "containerEnv", List.of("PATH"))));
    assertTrue(no.getMessage().contains("require a container"), no::getMessage);
  }
}
