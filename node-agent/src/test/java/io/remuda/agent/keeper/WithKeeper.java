package io.remuda.agent.keeper;

import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A test that begins with a keeper of its own and a client of it. */
abstract class WithKeeper {
  KeeperUnderTest keeper;
  KeeperClient client;

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
