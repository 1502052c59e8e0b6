package io.remuda.agent.keeper.task;

import io.remuda.agent.keeper.protocol.KeeperClient;
import java.io.IOException;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * A test that begins with a keeper without tasks and a client of it. Tests that leave their keeper
 * alive share it.
 */
public abstract class WithKeeper {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private static KeeperPlace place;

  protected KeeperUnderTest keeper;
  protected KeeperClient client;

  @BeforeEach
  void findKeeper() throws IOException {
    Awaitility.setDefaultTimeout(LIMIT);
    if (place == null) {
      place = KeeperPlace.started();
    }
    keeper = new KeeperUnderTest(place);
    client = keeper.client();
  }

  @AfterEach
  void leaveKeeper() throws IOException {
    keeper.close();
    if (keeper.isWorn()) {
      endKeeper();
    }
  }

  @AfterAll
  static void endKeeper() throws IOException {
    if (place != null) {
      place.close();
      place = null;
    }
  }
}
