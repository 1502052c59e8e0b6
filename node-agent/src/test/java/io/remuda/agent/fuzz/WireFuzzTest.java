package io.remuda.agent.fuzz;

import io.remuda.telemetry.testkit.FuzzCorpus;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("attack")
@Tag("attack-bad-request")
@Timeout(60)
class WireFuzzTest {
  private static final int NEAR = 60;

  @Test
  void messages_are_refused_or_say_the_same_again() throws IOException {
    new FuzzCorpus(WireFuzz.class).replay(WireFuzz::fuzzerTestOneInput, 1, NEAR);
  }

  @Test
  void frames_of_workers_are_refused_or_say_the_same_again() throws IOException {
    new FuzzCorpus(WorkerFuzz.class).replay(WorkerFuzz::fuzzerTestOneInput, 1, NEAR);
  }
}
