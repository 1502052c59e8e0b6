package io.remuda.coordinator.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.agent.commandline.EmbeddedCaller;
import java.io.ByteArrayOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AgentProcessTest {
  @TempDir private Path folder;

  /** Its settings, its GPU driver and its container engines are those that the caller names. */
  @Test
  void an_agent_of_an_embedded_server_has_the_variables_of_its_caller_and_no_others()
      throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    EmbeddedCaller caller =
        new EmbeddedCaller(
            Map.of("REMUDA_HOME", "/home/of/the/caller", "PATH", "/usr/bin:/bin"),
            folder,
            null,
            out,
            out);
    Path node = folder.resolve("node");
    Process agent =
        AgentProcess.start(
            node,
            List.of("sh", "-c", "echo $REMUDA_HOME $MORE ${HOME-none}"),
            caller::passTo,
            Map.of("MORE", "more"));
    assertEquals(0, agent.waitFor());
    assertEquals("/home/of/the/caller more none\n", Files.readString(AgentProcess.log(node)));
  }
}
