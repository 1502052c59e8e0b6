package io.remuda.agent.settings;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class AgentFlagsTest {

  @Test
  void the_launcher_starts_an_agent_with_the_same_flags() throws Exception {
    String launcher = Files.readString(Path.of("../bin/remuda"));
    String agent = launcher.substring(launcher.indexOf("# as JvmFlags.agent"));
    String command = agent.substring(0, agent.indexOf("\"$@\""));
    for (String flag : JvmFlags.agent()) {
      if (flag.startsWith("-X") && !flag.contains("SharedArchiveFile") && !flag.contains("Xlog")) {
        assertTrue(command.contains(" " + flag + " "), flag + " in " + command);
      }
    }
  }
}
