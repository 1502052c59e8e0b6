package io.remuda.agent.keeper.protocol;

import io.remuda.telemetry.testkit.FuzzCorpus;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("attack")
@Tag("attack-bad-request")
@Timeout(60)
class KeeperFuzzTest {
  private static final int NEAR = 200;

  @Test
  void frames_of_either_side_are_refused_or_say_the_same_again() throws IOException {
    new FuzzCorpus(KeeperFuzz.class).replay(KeeperFuzz::fuzzerTestOneInput, 1, NEAR);
  }
}
