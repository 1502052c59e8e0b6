package io.remuda.coordinator.service;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.testkit.Cluster;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Jobs that share GPUs by the memory that they state and take it only after a while, over the
 * simulated driver. Each writes itself into the driver's state when it allocates and out of it when
 * it frees, and notes both in a ledger: as all that changes a GPU's memory is there, what is in use
 * is known at every moment. {@code -Dgpu.memory.seed=1}
 */
class GpuMemoryIT {
  private static final long SEED = Long.getLong("gpu.memory.seed", System.nanoTime());
  private static final int GPUS = 4;
  private static final int JOBS = 30;
  private static final int LONGEST_DELAY_MILLIS = 5000;

  /** Longer than any delay, so that all that were put together have their memory at once. */
  private static final int LIFE_MILLIS = 5500;

  /** In MiB. Several of each fill a GPU's whole memory, of which the driver keeps some itself. */
  private static final int[] SIZES = {
    2 * SharedGpus.GIB, 3 * SharedGpus.GIB, 4 * SharedGpus.GIB, 6 * SharedGpus.GIB
  };

  @TempDir private Path folder;
  private final Random random = new Random(SEED);

  @Test
  void jobs_that_allocate_late_never_take_more_than_a_gpu_has() throws Exception {
    System.out.println("gpu memory: seed " + SEED);
    SharedGpus gpus = new SharedGpus(folder, GPUS);
    try (Cluster service = gpus.serve()) {
      List<Long> jobs = new ArrayList<>();
      for (int i = 0; i < JOBS; i++) {
        jobs.add(submit(service));
      }
      service.agent("n1");
      for (long job : jobs) {
        JsonNode end = service.awaitEnd(job);
        assertEquals("succeeded", end.path("state").asText(), end::toString);
      }
    }
    gpus.assertNeverTooMuch(JOBS);
  }

  private long submit(Cluster service) throws IOException {
    int size = SIZES[random.nextInt(SIZES.length)];
    int delay = random.nextInt(LONGEST_DELAY_MILLIS);
    return service.submit(
        SharedGpus.command(delay, size, LIFE_MILLIS - delay),
        "cpus",
        0,
        "gpus",
        1,
        "gpuMem",
        size + "MiB");
  }
}
