package io.remuda.agent.main;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.commandline.EmbeddedCaller;
import io.remuda.agent.protocol.BuildVersion;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The command line of an agent within another program, which is this test. */
@Timeout(120)
class AgentProgramTest {
  private static final int USAGE = 2;

  @TempDir private Path folder;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private int run(String... arguments) {
    Map<String, String> environment =
        Map.of(
            "REMUDA_HOME", folder.resolve("home").toString(),
            "REMUDA_CACHE", folder.resolve("cache").toString());
    return AgentProgram.run(arguments, new EmbeddedCaller(environment, folder, null, out, err));
  }

  @Test
  void the_version_is_printed_to_the_stream_that_is_given() {
    assertEquals(0, run("--version"));
    assertEquals(
        AgentMain.PROGRAM + " " + BuildVersion.VERSION + "\n",
        out.toString(StandardCharsets.UTF_8));
  }

  @Test
  void a_bad_option_is_told_on_stderr() {
    assertEquals(USAGE, run("--no-such"));
    String complaint = err.toString(StandardCharsets.UTF_8);
    assertTrue(complaint.startsWith(AgentMain.PROGRAM + ": "), complaint);
  }
}
