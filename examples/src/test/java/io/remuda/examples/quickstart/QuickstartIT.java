package io.remuda.examples.quickstart;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.coordinator.testkit.Installation;
import io.remuda.coordinator.testkit.TinyMnist;
import io.remuda.examples.ExampleProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class QuickstartIT {

  @Test
  void the_quickstart_trains_four_times_and_reports_each_result(@TempDir Path folder)
      throws Exception {
    Installation installation = Installation.find();
    Path data = TinyMnist.write(Files.createDirectory(folder.resolve("data")), 192, 64);
    ExampleProcess run =
        ExampleProcess.run(
            folder,
            List.of("-Dremuda.dist=" + installation.dist()),
            Map.of(
                "REMUDA_HOME",
                folder.resolve("home").toString(),
                "REMUDA_CACHE",
                installation.cache().toString()),
            Quickstart.class,
            data.toString());
    assertEquals(0, run.code(), run::toString);
    long results =
        run.out().lines().filter(line -> line.startsWith("Final test for learning rate ")).count();
    assertEquals(4, results, run::toString);
  }
}
