package io.remuda.coordinator.service;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.agent.keeper.proc.PidScope;
import io.remuda.coordinator.testkit.ServiceUnderTest;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A program that runs already, as a process of its own, for which the test asks. It takes memory of
 * a device of the C driver when it is told to, as {@link SharedGpus} says.
 */
final class LeasedProgram implements AutoCloseable {

  private static final Duration GRANTED = Duration.ofSeconds(90);
  private static final String LOOP =
      """
      while read -r REMUDA_DEVICES REMUDA_GPU_MEM_MIB REMUDA_TASK mib life; do
        export REMUDA_DEVICES REMUDA_GPU_MEM_MIB REMUDA_TASK
        sh allocate.sh 0 $mib $life 2>/dev/null
        echo $?
      done
      """;

  private final ServiceUnderTest service;
  private final Process process;
  private final Writer orders;
  private final BufferedReader results;

  LeasedProgram(ServiceUnderTest service, Path folder) throws IOException {
    this.service = service;
    process = new ProcessBuilder("sh", "-c", LOOP).directory(folder.toFile()).start();
    orders = process.outputWriter(StandardCharsets.UTF_8);
    results =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  /** Asks for a part of one device; waits until it is granted, unless the seconds are 0. */
  JsonNode ask(String type, String gpuMem, double waitSeconds) throws IOException {
    return ask(type, gpuMem, waitSeconds, List.of());
  }

  /** Asks for a part of this device, the only one that it can use. */
  JsonNode askFor(String device, String gpuMem, double waitSeconds) throws IOException {
    return ask("bound", gpuMem, waitSeconds, List.of(device));
  }

  private JsonNode ask(String type, String gpuMem, double waitSeconds, List<String> devices)
      throws IOException {
    Map<String, Object> request = new HashMap<>();
    request.put("type", type);
    request.put("waitSeconds", waitSeconds);
    request.put("devices", devices);
    request.put(
        "process",
        Map.of(
            "machine",
            PidScope.here(),
            "pid",
            process.pid(),
            "startTicks",
            startTicks(),
            "program",
            "a test"));
    if (gpuMem != null) {
      request.put("gpuMem", gpuMem);
    }
    JsonNode lease = service.client().post("/leases", request);
    return waitSeconds > 0 ? await(lease) : lease;
  }

  private long startTicks() throws IOException {
    String stat = Files.readString(Path.of("/proc/" + process.pid() + "/stat"));
    return Long.parseLong(stat.substring(stat.lastIndexOf(')') + 2).split(" ")[19]);
  }

  /** How the lease is once it waits no more. */
  JsonNode await(JsonNode lease) {
    JsonNode[] last = {lease};
    service.await(
        "lease that is granted",
        GRANTED,
        () -> {
          last[0] = service.client().get("/leases/" + id(lease) + "?waitSeconds=20");
          return !last[0].path("state").asText().equals("waiting");
        });
    return last[0];
  }

  /** How the lease is now. */
  JsonNode look(JsonNode lease) throws IOException {
    return service.client().get("/leases/" + id(lease) + "?waitSeconds=0");
  }

  /** Takes so many MiB for a moment; 1 if it was promised less. */
  int use(JsonNode lease, int mebibytes, double seconds) throws IOException {
    long promised = lease.path("gpuMemoryBytes").asLong() >> 20;
    orders.write(
        lease.path("environment").path("REMUDA_DEVICES").asText()
            + " "
            + promised
            + " lease-"
            + id(lease)
            + "-"
            + lease.path("attempt").asInt()
            + " "
            + mebibytes
            + " "
            + seconds
            + "\n");
    orders.flush();
    return Integer.parseInt(results.readLine());
  }

  JsonNode giveBack(JsonNode lease) throws IOException {
    return release(lease, Map.of("attempt", lease.path("attempt").asInt(), "succeeded", true));
  }

  /** Releases a lease as failed, with the wish to be tried again. */
  JsonNode fail(JsonNode lease, String error) throws IOException {
    return release(
        lease,
        Map.of(
            "attempt",
            lease.path("attempt").asInt(),
            "succeeded",
            false,
            "error",
            error,
            "again",
            true));
  }

  private JsonNode release(JsonNode lease, Map<String, Object> how) throws IOException {
    return service.client().post("/leases/" + id(lease) + "/release", how);
  }

  static long id(JsonNode lease) {
    return lease.path("id").asLong();
  }

  long pid() {
    return process.pid();
  }

  void kill() {
    process.destroyForcibly();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Waits until it has ended and gives the signal that ended it, or 0. */
  int awaitEnd() throws InterruptedException {
    return Math.max(0, process.waitFor() - 128);
  }

  @Override
  public void close() {
    kill();
    try {
      orders.close();
      results.close();
    } catch (IOException fault) {
      if (!String.valueOf(fault.getMessage()).contains("pipe")) {
        throw new UncheckedIOException(fault);
      }
    }
  }
}
