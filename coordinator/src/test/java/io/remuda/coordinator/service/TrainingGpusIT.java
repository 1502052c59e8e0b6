package io.remuda.coordinator.service;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.coordinator.testkit.Cluster;
import io.remuda.coordinator.testkit.Installation;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The number of GPUs of a training whose speed follows a table, on four simulated GPUs. */
@Timeout(240)
class TrainingGpusIT {

  @TempDir private Path folder;
  private TrainingLog log;
  private Cluster service;

  @BeforeEach
  void make() throws Exception {
    log = TrainingLog.prepare(folder);
    service = new Cluster(Installation.find(), folder.resolve("h"), Map.of());
    service.serve("--cpus", "4", "--simulate-gpus", "h200:4");
  }

  @AfterEach
  void end() {
    service.close();
  }

  @Test
  void on_a_curve_with_its_peak_at_two_it_stays_at_two_after_four_epochs() throws Exception {
    // Epochs that are worth a start even where a busy machine takes seconds for one.
    long job =
        service.submit(
            "EPOCH_SCALE=8 STEP_SECONDS=0.5 CURVE=1:1,2:1.8,4:1.1 " + TrainingLog.COMMAND,
            "epochs",
            12,
            "maxGpus",
            4,
            "snapshots",
            folder.resolve("snap").toString(),
            "cpus",
            1);
    assertEquals("succeeded", service.awaitEnd(job).path("state").asText());
    List<String> epochs = log.lines().stream().filter(line -> line.startsWith("epoch ")).toList();
    assertEquals(12, epochs.size(), epochs::toString);
    assertEquals("epoch 0 with 4 GPUs", epochs.get(0), "it starts with what is free");
    for (int epoch = 4; epoch < 12; epoch++) {
      assertEquals("epoch " + epoch + " with 2 GPUs", epochs.get(epoch), epochs::toString);
    }
  }
}
