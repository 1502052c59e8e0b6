package io.remuda.coordinator.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.testkit.Cluster;
import io.remuda.coordinator.testkit.Installation;
import io.remuda.coordinator.testkit.ServiceUnderTest;
import io.remuda.telemetry.testkit.SimulatedDriver;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * GPUs of the C driver whose memory test jobs take and give back, which they note in a ledger: as
 * all that changes a GPU's memory is there, what is in use is known at every moment.
 */
final class SharedGpus {
  static final int GIB = 1024;
  static final int MEMORY = 24 * GIB;
  static final int RESERVED = 512;

  /**
   * {@code allocate.sh DELAY MIB TIME}: sees one GPU; its index is in the first group of its UUID.
   * In place of a time there may be a file: it ends when that is there. It fails as PyTorch does
   * where it was promised a part of it that is too small. It waits so that a SIGTERM interrupts it,
   * even one that comes as the sleep begins, which then gets none itself.
   */
  private static final String ALLOCATE =
      """
      gpu=$((0x$(printf %s "$REMUDA_DEVICES" | cut -c 5-12) - 1))
      if [ "${REMUDA_GPU_MEM_MIB:-0}" -gt 0 ] && [ "$REMUDA_GPU_MEM_MIB" -lt $2 ]; then
        echo "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate $2 MiB" >&2
        exit 1
      fi
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
      sleep $1
      trap 'change - $2; exit 143' TERM
      change + $2
      case $3 in
        [0-9]*) sleep $3 ;;
        *) until [ -e $3 ]; do sleep 0.1; done ;;
      esac &
      wait $!; change - $2
      """;

  private final Path folder;
  private final int gpus;
  private final SimulatedDriver driver;

  SharedGpus(Path folder, int gpus) throws IOException {
    this.folder = folder;
    this.gpus = gpus;
    this.driver = SimulatedDriver.withOwnLibraryIn(folder);
    List<String> machine = new ArrayList<>(List.of("gpus " + gpus));
    for (int gpu = 0; gpu < gpus; gpu++) {
      machine.add("gpu " + gpu + " memory " + MEMORY + "MiB reserved " + RESERVED + "MiB");
    }
    driver.says(machine.toArray(String[]::new));
    Files.writeString(folder.resolve("machine"), String.join("\n", machine) + "\n");
    Files.writeString(folder.resolve("process.none"), "");
    Files.writeString(folder.resolve("allocate.sh"), ALLOCATE);
  }

  SimulatedDriver driver() {
    return driver;
  }

  /** Starts a server in this JVM without an agent; its agents have these GPUs. */
  Cluster serve() throws IOException {
    Cluster service = new Cluster(Installation.find(), folder.resolve("h"), driver.environment());
    service.serve("--no-agent");
    driver.loaded();
    return service;
  }

  /**
   * A shell line of a job that waits, takes so many MiB, keeps them a while and gives them back.
   */
  static String command(int delayMillis, int mebibytes, int lifeMillis) {
    return String.format(
        Locale.ROOT,
        "exec sh allocate.sh %.3f %d %.3f",
        delayMillis / 1000.0,
        mebibytes,
        lifeMillis / 1000.0);
  }

  /** A line of a job that takes so many MiB and keeps them until there is a file. */
  static String commandUntil(Path file, int mebibytes) {
    return "exec sh allocate.sh 0 " + mebibytes + " " + file;
  }

  /** Begins a new ledger; no job must run. */
  void forget() throws IOException {
    Files.deleteIfExists(folder.resolve("ledger"));
  }

  /** What is known of a type. */
  static JsonNode profile(ServiceUnderTest service, String type) throws IOException {
    for (JsonNode profile : service.client().get("/profiles").path("profiles")) {
      if (profile.path("type").asText().equals(type)) {
        return profile;
      }
    }
    throw new AssertionError("no profile of " + type);
  }

  static void assertReservation(ServiceUnderTest service, String type, int gib, int runs)
      throws IOException {
    JsonNode profile = profile(service, type);
    long reserved = profile.path("reservationBytes").asLong() >> 20;
    assertTrue(reserved >= gib * GIB, profile::toString);
    assertTrue(reserved <= gib * GIB * 1.1, profile::toString);
    assertEquals(runs, profile.path("runs").asInt(), profile::toString);
  }

  /** Checks that each job of the ledger took memory once, and that no GPU ever had too little. */
  void assertNeverTooMuch(int jobs) throws IOException {
    List<String> ledger = Files.readAllLines(folder.resolve("ledger"));
    assertEquals(2 * jobs, ledger.size());
    int[] used = new int[gpus];
    int[] tasks = new int[gpus];
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
