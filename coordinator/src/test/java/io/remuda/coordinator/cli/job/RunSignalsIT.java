package io.remuda.coordinator.cli.job;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.coordinator.testkit.Installation;
import io.remuda.coordinator.testkit.Member.Role;
import io.remuda.coordinator.testkit.ServiceProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What {@code remuda run} does with the signals that it gets. */
@Timeout(300)
class RunSignalsIT {
  private static final Duration SOON = Duration.ofSeconds(90);

  @TempDir private static Path shared;
  private static ServiceProcess service;

  private Process run;
  private long job;

  @BeforeAll
  static void serve() throws IOException {
    service = new ServiceProcess(Installation.find(), shared.resolve("h"), Map.of());
    service.serve("--cpus", "1");
  }

  @AfterAll
  static void end() {
    service.close();
  }

  /** A job that runs, and {@code run}, which has shown what it has printed. */
  @BeforeEach
  void run(TestInfo test) throws IOException {
    String name = test.getTestMethod().orElseThrow().getName();
    run =
        service.start(name, "run", "--name", name, "--", "sh", "-c", "echo begun; exec sleep 1000");
    service.await(
        "output of the job",
        SOON,
        () -> Files.readString(shared.resolve(name + ".out")).contains("begun"));
    job = service.client().get("/jobs?name=" + name).at("/jobs/0/id").asLong();
  }

  @Test
  void the_first_cancels_the_job() throws Exception {
    run.destroy(); // SIGTERM
    assertEquals("cancelled", service.awaitEnd(job).path("state").asText());
    assertEquals(130, run.waitFor());
  }

  @Test
  void the_first_is_not_lost_while_the_server_is_away() throws Exception {
    service.member(Role.COORDINATOR).signal("KILL");
    service.awaitServerEnd();
    run.destroy();
    service.serve("--cpus", "1");
    assertEquals("cancelled", service.awaitEnd(job).path("state").asText());
    assertEquals(130, run.waitFor());
  }

  @Test
  @Tag("attack")
  @Tag("attack-bad-request")
  void a_later_one_ends_it_though_the_server_says_nothing() throws Exception {
    service.member(Role.COORDINATOR).signal("STOP");
    service.await(
        "the end of run",
        SOON,
        () -> {
          run.destroy();
          return !run.isAlive();
        });
    assertEquals(143, run.exitValue());
    service.member(Role.COORDINATOR).signal("CONT");
    service.client().post("/jobs/" + job + "/cancel", Map.of("now", true));
    service.awaitEnd(job);
  }
}
