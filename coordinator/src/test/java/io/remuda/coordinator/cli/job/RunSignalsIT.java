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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What {@code remuda run} does with the signals that it gets. */
@Timeout(120)
class RunSignalsIT {
  private static final Duration SOON = Duration.ofSeconds(90);

  @TempDir private Path folder;
  private ServiceProcess service;
  private Process run;

  /** A job that runs, and {@code run}, which has shown what it has printed. */
  @BeforeEach
  void run() throws IOException {
    service = new ServiceProcess(Installation.find(), folder.resolve("h"), Map.of());
    service.serve("--cpus", "1");
    run = service.start("run", "run", "--", "sh", "-c", "echo begun; exec sleep 1000");
    service.await(
        "output of the job",
        SOON,
        () -> Files.readString(folder.resolve("run.out")).contains("begun"));
  }

  @AfterEach
  void end() {
    service.close();
  }

  @Test
  void the_first_cancels_the_job() throws Exception {
    run.destroy(); // SIGTERM
    assertEquals("cancelled", service.awaitEnd(1).path("state").asText());
    assertEquals(130, run.waitFor());
  }

  @Test
  void the_first_is_not_lost_while_the_server_is_away() throws Exception {
    service.member(Role.COORDINATOR).signal("KILL");
    service.awaitServerEnd();
    run.destroy();
    service.serve("--cpus", "1");
    assertEquals("cancelled", service.awaitEnd(1).path("state").asText());
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
  }
}
