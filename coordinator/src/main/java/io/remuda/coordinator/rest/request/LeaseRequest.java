package io.remuda.coordinator.rest.request;

import io.remuda.coordinator.api.LeaseAsk;
import io.remuda.coordinator.jobfield.NeedsRows;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.LeaseHolderProcess;
import io.remuda.worker.job.LeasedProgramWorkload;
import io.remuda.worker.job.PlacementPolicy;
import io.remuda.worker.job.ResourceRequest;
import java.util.List;
import java.util.Map;

/**
 * A running program's request for a lease; null stands for the default.
 *
 * @param type name shared by programs with the same needs
 * @param gpus devices; 1 by default
 * @param cpus cores; none by default
 * @param gpuMem memory of each device, or {@value JobRequest#AUTO}; whole devices by default
 * @param gpuModel part of the model's name
 * @param devices UUIDs of the only devices that it can use, as many as {@code gpus}; any by default
 * @param policy placement policy, as of a job
 * @param process the program
 * @param clientKey idempotency key: a repeated request returns the lease of the first one
 * @param waitSeconds maximum wait for the response; see {@code LeaseRoutes}
 */
public record LeaseRequest(
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
   * The process of the program.
   *
   * @param machine scope of its pid: {@code random/boot_id} of its kernel, a slash, and the inode
   *     of its pid namespace
   * @param startTicks field 22 of its {@code /proc/PID/stat}
   * @param program name for people
   */
  record Process(String machine, Long pid, Long startTicks, String program) {}

  /**
   * Returns the requested lease.
   *
   * @throws IllegalArgumentException if a field is wrong; the message has its name and value
   */
  public LeaseAsk toAsk(String user) {
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
    NeedsRows.checkSlices(request.gpus(), gpuModel);
    if (devices != null && !devices.isEmpty()) {
      request =
          request.boundTo(
              new LeaseHolderProcess(process.pid(), devices.stream().map(DeviceId::new).toList()));
    }
    if (request.gpus() == 0 && request.cpus() == 0) {
      throw new IllegalArgumentException("a lease needs gpus or cpus");
    }
    String program = process.program() == null ? "" : process.program();
    return new LeaseAsk(
        user,
        JobRequest.typeName(user, type),
        request,
        policy == null ? PlacementPolicy.USUAL : PlacementPolicy.parse(policy),
        process.machine(),
        new LeasedProgramWorkload(process.pid(), process.startTicks(), program),
        clientKey);
  }
}
