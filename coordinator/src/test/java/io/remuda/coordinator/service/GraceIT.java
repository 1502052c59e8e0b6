package io.remuda.coordinator.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.testkit.Cluster;
import io.remuda.coordinator.testkit.Installation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tasks have their grace when they are cancelled, when the server stops and at a time limit. */
@Timeout(240)
class GraceIT {
  private static final Duration SOON = Duration.ofSeconds(90);

  private static final String SAVES = SavingJob.saves("sleep 2.5");
  private static final String SAVES_ONCE_TOLD =
      SavingJob.saves("while [ ! -e go ]; do sleep 0.1; done; sleep 2.5");
  private static final String DEAF = "trap '' TERM; touch ready; while :; do sleep 0.1; done";

  /** One service for all tests; after those that stop it there is the next. */
  @TempDir private static Path home;

  private static Cluster service;
  @TempDir private Path folder;

  @BeforeAll
  static void serve() throws IOException {
    service = new Cluster(Installation.find(), home.resolve("h"), Map.of());
    service.serve("--cpus", "2");
  }

  @AfterAll
  static void close() {
    service.close();
  }

  private long start(String script, Object... fields) throws Exception {
    List<Object> all = new ArrayList<>(List.of(fields));
    all.addAll(List.of("workdir", folder.toString()));
    long job = service.submit(script, all.toArray());
    service.await("a running task", SOON, () -> Files.exists(folder.resolve("ready")));
    return job;
  }

  private boolean isSaved() {
    return Files.exists(folder.resolve("saved"));
  }

  private String end(long job) throws Exception {
    return service.awaitEnd(job).path("state").asText();
  }

  private void cli(String... arguments) throws IOException, InterruptedException {
    assertEquals(0, service.cli(arguments).code());
  }

  @Test
  void a_cancelled_task_has_time_to_save() throws Exception {
    long job = start(SAVES);
    cli("cancel", Long.toString(job));
    assertEquals("cancelled", end(job));
    assertTrue(isSaved());
  }

  @Test
  void a_cancelled_task_saves_though_its_agent_is_killed_meanwhile() throws Exception {
    long job = start(SAVES_ONCE_TOLD, "retries", 1, "grace", "2m");
    cli("cancel", Long.toString(job));
    service.killAgents();
    assertFalse(isSaved());
    Files.createFile(folder.resolve("go"));
    assertEquals("cancelled", end(job));
    assertTrue(isSaved());
  }

  @Test
  void a_task_past_its_time_limit_has_time_to_save() throws Exception {
    long job = start(SAVES, "timeLimit", "5s");
    assertEquals("failed", end(job));
    assertTrue(isSaved());
  }

  @Test
  void a_server_that_stops_waits_for_tasks_that_save() throws Exception {
    start(SAVES);
    cli("stop");
    service.awaitServerEnd();
    assertTrue(isSaved());
    service.serve("--cpus", "2");
  }

  @Test
  void a_task_is_killed_when_its_grace_is_over_or_at_once_if_that_is_wanted() throws Exception {
    long brief = start(DEAF, "grace", "1s");
    cli("cancel", Long.toString(brief));
    assertEquals("cancelled", end(brief));
    for (String which : List.of("" + brief, brief + ".0")) {
      String exit = service.cli("state", "-o", "job,exit", which).out();
      assertTrue(exit.matches("JOB +EXIT\n" + which + " +signal 9\n"), exit);
    }
    Files.delete(folder.resolve("ready"));
    long deaf = start(DEAF, "grace", "1h");
    cli("cancel", Long.toString(deaf));
    assertEquals("ending", service.client().get("/jobs/" + deaf).path("state").asText());
    cli("cancel", "--now", Long.toString(deaf));
    assertEquals("cancelled", end(deaf));
  }

  @Test
  void a_running_task_that_is_cancelled_now_is_killed_and_so_it_is_by_a_stop_now()
      throws Exception {
    long job = start(SAVES, "grace", "1h");
    cli("cancel", "--now", Long.toString(job));
    assertEquals("cancelled", end(job));
    assertFalse(isSaved());
    Files.delete(folder.resolve("ready"));
    start(DEAF, "grace", "1h");
    cli("stop", "--now");
    service.awaitServerEnd();
    service.serve("--cpus", "2");
  }

  @Test
  void a_task_gets_its_signal_before_its_time_limit() throws Exception {
    long job =
        service.submit(
            "trap 'touch saved; exit' USR1; while :; do sleep 0.1; done",
            "timeLimit",
            "1h",
            "signal",
            "USR1@3595s",
            "workdir",
            folder.toString());
    assertEquals("succeeded", end(job));
    assertTrue(isSaved());
  }
}
