package io.remuda.agent.keeper.task;

import io.remuda.agent.keeper.protocol.KeeperClient;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A test that begins with a keeper of its own and a client of it. */
public abstract class WithKeeper {
  protected KeeperUnderTest keeper;
  protected KeeperClient client;

  @BeforeEach
  void startKeeper() throws IOException {
    keeper = KeeperUnderTest.started();
    client = keeper.client();
  }

  @AfterEach
  void endKeeper() throws IOException {
    keeper.close();
  }
}
