package io.remuda.coordinator.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.testkit.Cluster;
import io.remuda.coordinator.testkit.Installation;
import io.remuda.coordinator.testkit.ServiceUnderTest.Result;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A machine that is off for good, which only a person can know. */
@Tag("attack")
@Tag("attack-escape")
@Timeout(180)
class GoneNodeIT {

  @TempDir private Path folder;
  private Cluster service;

  @BeforeEach
  void serve() throws IOException {
    service = new Cluster(Installation.find(), folder.resolve("h"), Map.of());
    service.serve("--no-agent");
    service.agent("n1");
    service.awaitNode("n1", "ready");
  }

  @AfterEach
  void end() {
    service.close();
  }

  /** Kills all processes of the node at once, as a power cut does. */
  private void cutPower() throws IOException {
    service.killAgents();
    for (int round = 0; round < 3; round++) {
      service.members().forEach(member -> member.signal("KILL"));
    }
  }

  @Test
  void what_was_cancelled_on_it_is_over_once_somebody_says_that_it_is_gone() throws IOException {
    long job = service.submit("exec sleep 1000");
    service.awaitState(job, "running");
    Result early = service.cli("drain", "--gone", "n1");
    assertEquals(1, early.code(), early::toString);
    assertTrue(early.err().contains("node n1 answers, so it is not gone"), early::toString);

    cutPower();
    service.awaitNode("n1", "silent");
    service.client().post("/jobs/" + job + "/cancel", null);
    service.await( // with the next look at the clock
        "the way out",
        Duration.ofSeconds(90),
        () -> service.cli("show", "" + job).out().contains("remuda drain --gone n1"));

    Result late = service.cli("drain", "--gone", "n1");
    assertEquals(0, late.code(), late::toString);
    assertEquals("cancelled", service.awaitEnd(job).path("state").asText());
    service.await("an end of all of it", Duration.ofSeconds(90), () -> service.members().isEmpty());
  }
}
