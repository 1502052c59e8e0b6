package io.remuda.coordinator.rest.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.remuda.worker.job.CommandWorkload;
import io.remuda.worker.job.PinAndFreezeTerms;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How the processes of a job are started. */
class LaunchRequestTest {

  private static PinAndFreezeTerms terms(Map<String, Object> fields) {
    return ((CommandWorkload) JobRequest.of(fields).toNewJob("ann", List.of()).tasks().get(0))
        .launch();
  }

  @Test
  void a_job_is_pinned_if_it_says_so() {
    assertEquals(PinAndFreezeTerms.PINNED, terms(Map.of("shell", "x", "pin", true)));
    assertEquals(PinAndFreezeTerms.PINNED, terms(Map.of("shell", "x", "pin", true, "cpus", 4.0)));
    assertNull(terms(Map.of("shell", "x", "pin", false, "cpus", 0.5)));
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 0.5, 1.5})
  void only_whole_cpus_are_pinned(double cpus) {
    Map<String, Object> fields = Map.of("shell", "x", "pin", true, "cpus", cpus);
    String message = assertThrows(IllegalArgumentException.class, () -> terms(fields)).getMessage();
    assertEquals("pin requires cpus to be 1, 2, 3 or more, got " + cpus, message);
  }

  @Test
  void the_roles_of_a_gang_have_whole_cpus_too() {
    Map<String, Object> roles = Map.of("a", Map.of("shell", "x", "cpus", 0.5));
    Map<String, Object> fields = Map.of("pin", true, "gang", Map.of("roles", roles));
    assertThrows(IllegalArgumentException.class, () -> terms(fields));
  }
}
