package io.remuda.worker.workload.mnist;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NativeLibrariesTest {

  @TempDir Path temp;

  /** Without the lock some of these die with SIGBUS. */
  @Test
  void processes_that_start_together_on_an_empty_cache_all_load() throws Exception {
    List<Process> together = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      together.add(start(i));
    }
    for (int i = 0; i < together.size(); i++) {
      boolean ended = together.get(i).waitFor(120, TimeUnit.SECONDS);
      if (!ended) {
        together.get(i).destroyForcibly();
      }
      assertTrue(ended, "process " + i + " did not end");
      assertEquals(0, together.get(i).exitValue(), Files.readString(output(i)));
    }
    try (var entries = Files.list(temp.resolve("cache"))) {
      List<Path> folders = entries.toList();
      assertEquals(1, folders.size(), folders.toString());
      assertTrue(Files.exists(folders.get(0).resolve("complete")));
      assertFalse(folders.get(0).getFileName().toString().contains("unversioned"));
    }
  }

  private Process start(int number) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            Loading.class.getName(),
            temp.resolve("cache").toString())
        .redirectErrorStream(true)
        .redirectOutput(output(number).toFile())
        .start();
  }

  private Path output(int number) {
    return temp.resolve("output-" + number);
  }

  /** What each of the processes does. */
  static final class Loading {

    private Loading() {}

    public static void main(String[] arguments) throws IOException {
      NativeLibraries.prepare(Path.of(arguments[0]));
      if (torch.ones(3).sum().item_double() != 3.0) {
        throw new AssertionError("libtorch cannot add");
      }
    }
  }
}
