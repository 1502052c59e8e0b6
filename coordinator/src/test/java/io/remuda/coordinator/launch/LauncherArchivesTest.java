package io.remuda.coordinator.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The launcher's class archives, with a Java and a recording that do nothing. */
@Timeout(120)
class LauncherArchivesTest {

  private static final int STARTS = 3;

  @TempDir private Path folder;

  private void program(String name, String script) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, script);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
  }

  private static boolean isAtArchives(Process launcher) {
    return launcher
        .descendants()
        .map(one -> one.info().commandLine().orElse(""))
        .anyMatch(line -> line.contains("make-archives") || line.contains("flock"));
  }

  @Test
  void of_several_starts_at_once_one_records_and_the_others_wait_for_it() throws Exception {
    program("bin/remuda", Files.readString(Path.of("..", "bin", "remuda")));
    program(
        "bin/make-archives",
        "echo made >>"
            + folder.resolve("made")
            + "\n"
            + "while [ ! -e "
            + folder.resolve("go")
            + " ]; do sleep 0.1; done\n"
            + "mkdir -p \"$3\"\n");
    program("java/bin/java", "#!/bin/sh\necho started >>" + folder.resolve("started") + "\n");
    Files.writeString(folder.resolve("java/release"), "JAVA_VERSION=\"17.0.1\"\n");
    Files.writeString(folder.resolve("coordinator.jar"), "");
    List<Process> starts = new ArrayList<>();
    try {
      for (int i = 0; i < STARTS; i++) {
        ProcessBuilder start =
            new ProcessBuilder(folder.resolve("bin/remuda").toString(), "serve")
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("out" + i).toFile());
        start.environment().put("REMUDA_CACHE", folder.resolve("cache").toString());
        starts.add(start.start());
      }
      for (Process start : starts) {
        while (!isAtArchives(start)) {
          assertTrue(start.isAlive(), "it has not waited for the archives");
          TimeUnit.MILLISECONDS.sleep(20);
        }
      }
      Files.createFile(folder.resolve("go"));
      for (Process start : starts) {
        assertTrue(start.waitFor(60, TimeUnit.SECONDS));
        assertEquals(0, start.exitValue());
      }
    } finally {
      starts.forEach(Process::destroyForcibly);
    }
    assertEquals(List.of("made"), Files.readAllLines(folder.resolve("made")));
    assertEquals(STARTS, Files.readAllLines(folder.resolve("started")).size());
  }
}
