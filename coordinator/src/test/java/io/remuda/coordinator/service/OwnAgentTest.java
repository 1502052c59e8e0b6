package io.remuda.coordinator.service;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OwnAgentTest {

  @TempDir private Path home;

  /** An agent of another server is alive. */
  private static final class Launcher implements AgentLauncher, AgentLauncher.Agent {

    @Override
    public Optional<Agent> find(Path folder) {
      return Optional.of(this);
    }

    @Override
    public Agent start(Path folder, List<String> options) {
      throw new AssertionError("one is alive");
    }

    @Override
    public boolean isAlive() {
      return true;
    }

    @Override
    public int exitCode() {
      return 0;
    }

    @Override
    public void askToEnd() {
      // it goes on
    }
  }

  @Test
  void a_look_after_the_end_of_the_server_does_not_make_the_nodes_folder_again()
      throws IOException {
    Path folder = home.resolve("nodes").resolve("vm");
    OwnAgent agent =
        new OwnAgent(
            new OwnAgent.Launch(
                "vm", folder, home.resolve("access.json"), home, new Launcher(), List.of()));
    agent.look();
    assertTrue(Files.isDirectory(folder));
    agent.leaveAlone();
    Files.delete(folder);

    agent.look();

    assertFalse(Files.exists(folder), "its server has ended");
  }
}
