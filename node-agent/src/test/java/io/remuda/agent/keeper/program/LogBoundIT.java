package io.remuda.agent.keeper.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.main.AgentMain;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The logs of real agents and keepers, of which each prints one line and ends. */
@Timeout(120)
class LogBoundIT {

  private static final String OLD = "an older line\n";

  @TempDir private Path folder;

  /** Lets a program say that its arguments are wrong, at the end of a log. */
  private void says(Path log, Class<?> program) throws Exception {
    Process process =
        new ProcessBuilder(
                List.of(
                    System.getProperty("java.home") + "/bin/java",
                    "-cp",
                    System.getProperty("java.class.path"),
                    program.getName(),
                    program == AgentMain.class ? "--nonsense" : "/" + "long".repeat(40)))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start();
    try {
      assertTrue(process.waitFor(100, TimeUnit.SECONDS));
      assertEquals(2, process.exitValue());
    } finally {
      process.destroyForcibly();
    }
  }

  private static Class<?> writer(String name) {
    return name.equals("agent.log") ? AgentMain.class : KeeperMain.class;
  }

  private Path full(String name) throws IOException {
    Path log = folder.resolve(name);
    return Files.writeString(log, OLD.repeat((10 << 20) / OLD.length() + 1));
  }

  @ParameterizedTest
  @ValueSource(strings = {"agent.log", "keeper.log"})
  void a_log_beyond_its_size_goes_aside_and_one_older_is_kept(String name) throws Exception {
    Path log = full(name);
    Files.writeString(folder.resolve(name + ".1"), "of the time before\n");
    says(log, writer(name));
    String now = Files.readString(log);
    assertFalse(now.contains(OLD), "the log has " + now.length() + " bytes");
    assertTrue(Files.readString(folder.resolve(name + ".1")).startsWith(OLD));
    assertFalse(Files.exists(folder.resolve(name + ".2")));
    says(log, writer(name));
    assertTrue(Files.readString(log).startsWith(now), "a small one stays");
  }

  @ParameterizedTest
  @ValueSource(strings = {"agent.log", "keeper.log"})
  void a_file_of_another_name_is_not_ours_to_move(String name) throws Exception {
    Path log = full("mine.txt");
    says(log, writer(name));
    assertTrue(Files.readString(log).startsWith(OLD));
    assertFalse(Files.exists(folder.resolve("mine.txt.1")));
  }
}
