package io.remuda.coordinator.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.main.RunningAgent;
import io.remuda.coordinator.testkit.Cluster;
import io.remuda.coordinator.testkit.Installation;
import io.remuda.coordinator.testkit.Member;
import io.remuda.coordinator.testkit.Member.Role;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tasks that shed what they are known by, while their keeper dies, alone or with its agent. */
@Tag("attack")
@Tag("long-attack")
@Tag("attack-kill-storm")
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class SheddingTasksIT {
  private static final Duration SOON = Duration.ofSeconds(90);
  private static final int LONG = 100_000;

  @TempDir private Path folder;
  private Cluster service;

  @BeforeEach
  void prepare() throws IOException {
    TaskLines.prepare(folder);
    service = new Cluster(Installation.find(), folder.resolve("h"), Map.of());
    service.with("remuda.coordinator.sharing.restartable-contact=8s");
  }

  @AfterEach
  void close() throws IOException {
    service.close();
    for (long pid : TaskLines.living(folder)) {
      ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
    }
  }

  private long submit(String how, Object... fields) throws IOException {
    return service.submit(
        "exec " + TaskLines.SHEDDING_COMMAND + how + " " + LONG + " 0.1 0", fields);
  }

  private void awaitAttempt(long job, int attempt) {
    service.await(
        "attempt " + attempt + " of job " + job,
        SOON,
        () -> TaskLines.read(folder, job + ".0").attempts() >= attempt);
  }

  private void assertOneAtATime(long job) throws IOException {
    assertEquals(List.of(), TaskLines.read(folder, job + ".0").faults());
  }

  @Test
  void nothing_of_a_killed_keepers_tasks_lives_when_they_are_started_again() throws IOException {
    service.serve("--cpus", "16");
    for (String how : TaskLines.HOWS) {
      awaitAttempt(submit(how, "retries", 3, "cpus", 0.1), 1);
    }
    long once = submit("environment", "cpus", 0.1);
    awaitAttempt(once, 1);

    service.keeper().signal("KILL");

    assertEquals("lost", service.awaitEnd(once).path("state").asText());
    long size = Files.size(folder.resolve("lines/" + once + ".0"));
    for (long job = 1; job <= TaskLines.HOWS.size(); job++) {
      awaitAttempt(job, 2);
      assertOneAtATime(job);
    }
    assertEquals(size, Files.size(folder.resolve("lines/" + once + ".0")), "nothing is leaked");
  }

  @Test
  void nothing_of_a_dead_nodes_tasks_lives_when_they_are_started_elsewhere() throws IOException {
    service.serve("--no-agent");
    RunningAgent na = service.agent("na", "--cpus", "16");
    service.awaitNode("na", "ready");
    for (String how : TaskLines.HOWS) {
      awaitAttempt(submit(how, "retries", 3, "cpus", 0.1), 1);
    }
    service.agent("nb", "--cpus", "16");
    service.awaitNode("nb", "ready");

    na.kill();
    for (Member member : service.members()) {
      if (member.role() == Role.KEEPER && member.folder().endsWith("na")) {
        member.signal("KILL");
      }
    }

    service.await("end of all tasks", SOON, () -> TaskLines.living(folder).isEmpty());
    for (long job = 1; job <= TaskLines.HOWS.size(); job++) {
      awaitAttempt(job, 2);
      assertOneAtATime(job);
    }
    assertTrue(TaskLines.living(folder).size() >= TaskLines.HOWS.size());
  }
}
