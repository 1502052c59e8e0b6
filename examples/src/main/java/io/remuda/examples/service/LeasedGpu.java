package io.remuda.examples.service;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.agent.settings.RemudaPaths;
import io.remuda.coordinator.client.RestClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * A GPU that this running program borrows from the server, until {@link #close}.
 *
 * <p>A lease is a job to the server, but its process is the one that asks. So the request names the
 * process: by its pid, by when it started, and by the machine and pid namespace in which the pid
 * counts. If the process dies, the lease ends. A device belongs to this program only while the
 * lease is {@code running}; before that the request waits in the queue, like any job.
 *
 * <p>The program and the server's agent must be on one machine. {@link #main} runs a command with
 * the variables of the lease, of which {@code CUDA_VISIBLE_DEVICES} is one.
 */
public final class LeasedGpu implements AutoCloseable {

  /** Index of a process's start time in /proc/PID/stat, counted after its name and parenthesis. */
  private static final int START_TICKS = 19;

  private static final Set<String> FINAL = Set.of("succeeded", "failed", "cancelled", "lost");

  private final RestClient server;
  private final JsonNode lease;
  private boolean succeeded;

  private LeasedGpu(RestClient server, JsonNode lease) {
    this.server = server;
    this.lease = lease;
  }

  /**
   * Returns when a GPU was granted.
   *
   * @param type name shared by programs with the same needs
   * @throws IOException if the server refuses, or the lease was cancelled while it waited
   */
  static LeasedGpu borrow(RestClient server, String type) throws IOException {
    Map<String, Object> request =
        Map.of("type", type, "process", process(), "clientKey", UUID.randomUUID().toString());
    JsonNode lease = server.post("/leases", request); // answers within 20 s, granted or not
    while (!lease.path("state").asText().equals("running")) {
      if (FINAL.contains(lease.path("state").asText())) {
        throw new IOException("not granted: " + lease);
      }
      lease = server.get("/leases/" + lease.path("id").asLong() + "?waitSeconds=20");
    }
    return new LeasedGpu(server, lease);
  }

  private static Map<String, Object> process() throws IOException {
    String boot = Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
    Object namespace = Files.getAttribute(Path.of("/proc/self/ns/pid"), "unix:ino");
    String stat = Files.readString(Path.of("/proc/self/stat"));
    String[] afterName = stat.substring(stat.lastIndexOf(") ") + 2).split(" ");
    return Map.of(
        "machine", boot + "/" + namespace,
        "pid", ProcessHandle.current().pid(),
        "startTicks", Long.parseLong(afterName[START_TICKS]),
        "program", LeasedGpu.class.getSimpleName());
  }

  /** Returns the variables that a program must have before it loads its framework. */
  Map<String, String> environment() {
    Map<String, String> variables = new LinkedHashMap<>();
    lease
        .path("environment")
        .fields()
        .forEachRemaining(one -> variables.put(one.getKey(), one.getValue().asText()));
    return variables;
  }

  /** Records that the work was done; a lease that is given back without this has failed. */
  void succeeded() {
    succeeded = true;
  }

  /** Gives the device back. */
  @Override
  public void close() throws IOException {
    Map<String, Object> end =
        Map.of("attempt", lease.path("attempt").asInt(), "succeeded", succeeded);
    server.post("/leases/" + lease.path("id").asLong() + "/release", end);
  }

  /** Arguments: a command, which runs with one whole GPU. Ends with its exit code. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    RestClient server = RestClient.of(RemudaPaths.current().state());
    int code;
    try (LeasedGpu gpu = borrow(server, "LeasedGpu example")) {
      ProcessBuilder command = new ProcessBuilder(arguments).inheritIO();
      command.environment().putAll(gpu.environment());
      code = command.start().waitFor();
      if (code == 0) {
        gpu.succeeded();
      }
    }
    System.exit(code);
  }
}
