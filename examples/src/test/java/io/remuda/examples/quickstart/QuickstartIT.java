package io.remuda.examples.quickstart;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.coordinator.testkit.Installation;
import io.remuda.coordinator.testkit.TinyMnist;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class QuickstartIT {

  @Test
  void the_quickstart_trains_four_times_and_reports_each_result(@TempDir Path folder)
      throws Exception {
    Installation installation = Installation.find();
    Path data = TinyMnist.write(Files.createDirectory(folder.resolve("data")), 192, 64);
    Path out = folder.resolve("out");
    Path err = folder.resolve("err");
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Dremuda.dist=" + installation.dist(),
            "-cp",
            System.getProperty("java.class.path"),
            Quickstart.class.getName(),
            data.toString());
    builder.environment().put("REMUDA_HOME", folder.resolve("home").toString());
    builder.environment().put("REMUDA_CACHE", installation.cache().toString());
    Process process = builder.redirectOutput(out.toFile()).redirectError(err.toFile()).start();
    try {
      boolean ended = process.waitFor(120, TimeUnit.SECONDS);
      String all = Files.readString(out) + Files.readString(err);
      assertEquals(true, ended, all);
      assertEquals(0, process.exitValue(), all);
      List<String> results =
          Files.readAllLines(out).stream()
              .filter(line -> line.startsWith("Final test for learning rate "))
              .toList();
      assertEquals(4, results.size(), all);
    } finally {
      process.destroy();
    }
  }
}
