package io.remuda.agent.attempt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What the user has exported reaches the tasks of an srun, also under names that it uses itself.
 */
class SrunUserVariablesTest {

  private static final long MOST_SECONDS = 120;

  @TempDir private Path folder;

  /** Returns what a task sees of these variables, and of those of the program itself. */
  private Map<String, String> seen(String shell, Map<String, String> own, String... options)
      throws IOException, InterruptedException {
    SrunStandIn.write(folder);
    List<String> words = new ArrayList<>(List.of(shell.split(" ")));
    words.add(SrunStandIn.folder(folder).resolve("srun").toString());
    words.addAll(List.of(options));
    words.addAll(List.of("env", "-0"));
    ProcessBuilder builder =
        new ProcessBuilder(words).redirectError(ProcessBuilder.Redirect.INHERIT);
    Path out = folder.resolve("out");
    builder.redirectOutput(out.toFile());
    builder.environment().putAll(own);
    builder.environment().put("REMUDA_SBATCH", "1");
    builder.environment().put("REMUDA_SCRATCH", folder.toString());
    builder.environment().put("SLURM_JOB_ID", "5");
    Process process = builder.start();
    try {
      assertTrue(process.waitFor(MOST_SECONDS, TimeUnit.SECONDS), "it does not end");
    } finally {
      process.destroyForcibly();
    }
    assertEquals(0, process.exitValue());
    Map<String, String> seen = new TreeMap<>();
    for (String line : Files.readString(out).split("\0")) {
      String[] parts = line.split("=", 2);
      if (own.containsKey(parts[0])
          || parts[0].startsWith("REMUDA_SRUN")
          || parts[0].matches("task|rest|kept")) {
        seen.put(parts[0], parts[1]);
      }
    }
    return seen;
  }

  @ParameterizedTest
  @ValueSource(strings = {"dash", "bash --posix", "busybox sh"})
  void are_as_they_were_in_each_shell(String shell) throws Exception {
    Map<String, String> own = new TreeMap<>();
    for (String name :
        "output error input dir count step size host one value limit wait label nodes state line"
            .split(" ")) {
      own.put(name, "of the user: " + name);
    }
    own.put("path", "two\nlines=x 'quoted' $(no) \"word\"");
    own.put("begin", "");
    assertEquals(own, seen(shell, own));
  }

  @ParameterizedTest
  @ValueSource(strings = {"dash", "bash --posix", "busybox sh"})
  void and_those_of_export_are_as_it_says(String shell) throws Exception {
    Map<String, String> own = new TreeMap<>(Map.of("dir", "/data", "count", "100", "Q", "q"));
    assertEquals(
        Map.of("dir", "/data", "task", "3", "rest", "4", "kept", "a b"),
        seen(shell, own, "--export=dir,task=3,rest=4,kept=a b"));
  }
}
