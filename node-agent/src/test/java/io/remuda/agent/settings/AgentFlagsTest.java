package io.remuda.agent.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class AgentFlagsTest {

  private static boolean isTuning(String flag) {
    return flag.startsWith("-X") && !flag.contains("SharedArchiveFile") && !flag.contains("Xlog");
  }

  @Test
  void the_launcher_starts_an_agent_with_the_same_flags_and_variables() throws Exception {
    String launcher = Files.readString(Path.of("../bin/remuda"));
    String agent = launcher.substring(launcher.indexOf("if [ \"$_remuda_verb\" = agent ] && "));
    String command = agent.substring(agent.indexOf("# as JvmFlags.agent"), agent.indexOf("\nfi\n"));
    assertEquals(
        JvmFlags.agent().stream().filter(AgentFlagsTest::isTuning).collect(Collectors.toSet()),
        Stream.of(command.split("\\s+"))
            .filter(AgentFlagsTest::isTuning)
            .collect(Collectors.toSet()));
    JvmFlags.agentEnvironment()
        .forEach((name, value) -> assertTrue(agent.contains("  " + name + "=" + value + "\n")));
  }
}
