package io.remuda.coordinator.rest;

import io.remuda.coordinator.actor.LeaseAsk;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.BoundProcess;
import io.remuda.worker.job.LeasedProgramWorkload;
import io.remuda.worker.job.PlacementPolicy;
import io.remuda.worker.job.ResourceRequest;
import java.util.List;
import java.util.Map;

/**
 * What a running program asks for over HTTP; what is null has its default.
 *
 * @param type names programs that need alike
 * @param gpus devices, 1
 * @param cpus cores, none
 * @param gpuMem memory of each device, or {@value JobRequest#AUTO}; a whole device
 * @param gpuModel part of the model's name
 * @param devices UUIDs of those that it can use, as many as {@code gpus}; any
 * @param policy as of a job, pack
 * @param process the program
 * @param clientKey makes a repeated request return the first one's lease
 * @param waitSeconds how long the answer may take; see {@link LeaseRoutes}
 */
record LeaseRequest(
    String type,
    Integer gpus,
    Double cpus,
    String gpuMem,
    String gpuModel,
    List<String> devices,
    String policy,
    Process process,
    String clientKey,
    Double waitSeconds) {

  /**
   * The process that asks.
   *
   * @param machine where its number counts: {@code random/boot_id} of its kernel, a slash, and the
   *     inode of its pid namespace
   * @param startTicks field 22 of its {@code /proc/PID/stat}
   * @param program for people
   */
  record Process(String machine, Long pid, Long startTicks, String program) {}

  /**
   * The lease that is meant.
   *
   * @throws IllegalArgumentException naming the field that is wrong, and its value
   */
  LeaseAsk toAsk(String user) {
    if (type == null) {
      throw new IllegalArgumentException("type is missing: it names what the program does");
    }
    if (process == null
        || process.machine() == null
        || process.pid() == null
        || process.startTicks() == null) {
      throw new IllegalArgumentException("process needs machine, pid and startTicks");
    }
    ResourceRequest request =
        new ResourceRequest(
            cpus == null ? 0 : cpus,
            gpus == null ? 1 : gpus,
            0,
            JobRequest.gpuMemory(gpuMem),
            gpuModel,
            Map.of());
    if (devices != null && !devices.isEmpty()) {
      request =
          request.boundTo(
              new BoundProcess(process.pid(), devices.stream().map(DeviceId::new).toList()));
    }
    if (request.gpus() == 0 && request.cpus() == 0) {
      throw new IllegalArgumentException("a lease needs gpus or cpus");
    }
    String program = process.program() == null ? "" : process.program();
    return new LeaseAsk(
        user,
        JobRequest.typeName(user, type),
        request,
        policy == null ? PlacementPolicy.PACK : PlacementPolicy.parse(policy),
        process.machine(),
        new LeasedProgramWorkload(process.pid(), process.startTicks(), program),
        clientKey);
  }
}
