package io.remuda.coordinator.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.testkit.Installation;
import io.remuda.coordinator.testkit.ServiceProcess;
import io.remuda.telemetry.testkit.SimulatedDriver;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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

  private static final int GIB = 1024;
  private static final int MEMORY = 24 * GIB;
  private static final int RESERVED = 512;

  /** In MiB. Several of each fill a GPU's whole memory, of which the driver keeps some itself. */
  private static final int[] SIZES = {2 * GIB, 3 * GIB, 4 * GIB, 6 * GIB};

  /**
   * {@code allocate.sh DELAY MIB TIME}: sees one GPU; its index is in the first group of its UUID.
   */
  private static final String ALLOCATE =
      """
      gpu=$((0x$(printf %s "$CUDA_VISIBLE_DEVICES" | cut -c 5-12) - 1))
      exec 9>lock
      change() {
        flock 9
        echo "$1 $gpu $2" >> ledger
        case $1 in
          +) echo "gpu $gpu process $$ ${2}MiB" > process.$REMUDA_TASK ;;
          -) rm process.$REMUDA_TASK ;;
        esac
        cat machine process.* > next && mv next simulated-nvml.txt
        flock -u 9
      }
      sleep $1; change + $2; sleep $3; change - $2
      """;

  @TempDir private Path folder;
  private final Random random = new Random(SEED);

  @Test
  void jobs_that_allocate_late_never_take_more_than_a_gpu_has() throws Exception {
    System.out.println("gpu memory: seed " + SEED);
    SimulatedDriver driver = SimulatedDriver.in(folder);
    driver.says(machine());
    Files.writeString(folder.resolve("machine"), String.join("\n", machine()) + "\n");
    Files.writeString(folder.resolve("process.none"), "");
    Files.writeString(folder.resolve("allocate.sh"), ALLOCATE);
    try (ServiceProcess service =
        new ServiceProcess(Installation.find(), folder.resolve("h"), driver.environment())) {
      service.serve("--no-agent");
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
    assertNeverTooMuch(Files.readAllLines(folder.resolve("ledger")));
  }

  private static String[] machine() {
    List<String> lines = new ArrayList<>(List.of("gpus " + GPUS));
    for (int gpu = 0; gpu < GPUS; gpu++) {
      lines.add("gpu " + gpu + " memory " + MEMORY + "MiB reserved " + RESERVED + "MiB");
    }
    return lines.toArray(String[]::new);
  }

  private long submit(ServiceProcess service) throws IOException {
    int size = SIZES[random.nextInt(SIZES.length)];
    int delay = random.nextInt(LONGEST_DELAY_MILLIS);
    return service.submit(
        String.format(
            Locale.ROOT,
            "exec sh allocate.sh %.3f %d %.3f",
            delay / 1000.0,
            size,
            (LIFE_MILLIS - delay) / 1000.0),
        "cpus",
        0,
        "gpus",
        1,
        "gpuMem",
        size + "MiB");
  }

  private static void assertNeverTooMuch(List<String> ledger) {
    assertEquals(2 * JOBS, ledger.size());
    int[] used = new int[GPUS];
    int[] tasks = new int[GPUS];
    int mostTasks = 0;
    for (int i = 0; i < ledger.size(); i++) {
      String[] words = ledger.get(i).split(" ");
      int sign = words[0].equals("+") ? 1 : -1;
      int gpu = Integer.parseInt(words[1]);
      used[gpu] += sign * Integer.parseInt(words[2]);
      tasks[gpu] += sign;
      mostTasks = Math.max(mostTasks, tasks[gpu]);
      List<String> before = ledger.subList(0, i + 1);
      assertTrue(
          used[gpu] <= MEMORY - RESERVED,
          () -> "GPU " + gpu + " has too little for " + used[gpu] + " MiB: " + before);
    }
    assertTrue(mostTasks > 1, "no GPU was ever shared: " + ledger);
  }
}
