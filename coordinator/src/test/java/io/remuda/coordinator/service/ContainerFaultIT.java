package io.remuda.coordinator.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.testkit.Installation;
import io.remuda.coordinator.testkit.Member;
import io.remuda.coordinator.testkit.Member.Role;
import io.remuda.coordinator.testkit.ServiceProcess;
import io.remuda.coordinator.testkit.TestContainers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Of a podman container nothing is left, whatever was killed while it ran. */
@Timeout(180)
class ContainerFaultIT {
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final String WAITS =
      "echo run >> runs; touch ready; while [ ! -e go ]; do sleep 0.1; done; echo done; exit 3";

  @TempDir private Path folder;
  private TestContainers containers;
  private ServiceProcess service;

  @BeforeEach
  void make() throws Exception {
    containers = new TestContainers(Files.createDirectories(folder.resolve("c")));
    containers.makeImageOnce();
    service =
        new ServiceProcess(Installation.find(), folder.resolve("h"), containers.environment());
    service.serve("--cpus", "2");
  }

  @AfterEach
  void end() throws Exception {
    if (service != null) {
      service.close();
      containers.close();
    }
  }

  private long start(Object... fields) throws Exception {
    long job = service.submit(WAITS, fields);
    service.await("a running task", SOON, () -> Files.exists(folder.resolve("ready")));
    return job;
  }

  private void kill(String victims) {
    for (String victim : victims.split(" ")) {
      service.member(Role.valueOf(victim)).signal("KILL");
    }
  }

  private void assertNothingIsLeft() throws Exception {
    assertEquals("", containers.containers());
    List<Member> tasks =
        service.members().stream().filter(one -> !one.commandLine().contains("java")).toList();
    assertTrue(tasks.isEmpty(), tasks.toString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"COORDINATOR", "AGENT", "COORDINATOR AGENT"})
  void a_container_runs_on_without_them_and_its_end_is_known(String victims) throws Exception {
    long job = start("container", TestContainers.IMAGE);
    kill(victims);
    if (victims.contains("COORDINATOR")) {
      service.serve("--cpus", "2");
    }
    Files.createFile(folder.resolve("go"));
    assertTrue(service.awaitEnd(job).path("reason").asText().startsWith("exit code 3"));
    assertEquals("done\n", service.log(job, 0, "out"));
    assertEquals(1, Files.readAllLines(folder.resolve("runs")).size());
    assertNothingIsLeft();
  }

  @ParameterizedTest
  @ValueSource(strings = {"KEEPER", "KEEPER AGENT", "AGENT KEEPER"})
  void a_container_ends_with_its_keeper_and_its_task_runs_again(String victims) throws Exception {
    long job = start("container", TestContainers.IMAGE, "retries", 1);
    kill(victims);
    service.await(
        "a second run", SOON, () -> Files.readAllLines(folder.resolve("runs")).size() == 2);
    assertEquals(1, containers.containers().lines().count(), containers.containers());
    Files.createFile(folder.resolve("go"));
    assertTrue(service.awaitEnd(job).path("reason").asText().startsWith("exit code 3"));
    assertNothingIsLeft();
  }

  @Test
  void a_container_that_ends_while_no_agent_is_there_is_removed() throws Exception {
    long job = start("container", TestContainers.IMAGE);
    Member agent = service.member(Role.AGENT);
    agent.signal("STOP");
    Files.createFile(folder.resolve("go"));
    service.await("its end", SOON, () -> containers.podman("ps", "-q").out().isEmpty());
    agent.signal("KILL");
    assertTrue(service.awaitEnd(job).path("reason").asText().startsWith("exit code 3"));
    assertNothingIsLeft();
  }

  @Test
  void a_server_that_stops_leaves_no_container() throws Exception {
    start("container", TestContainers.IMAGE);
    assertEquals(0, service.cli("stop").code());
    service.awaitServerEnd();
    assertNothingIsLeft();
  }
}
