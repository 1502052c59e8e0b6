package io.remuda.coordinator.rest.answer;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.LeaseHolderProcess;
import io.remuda.worker.job.ResourceRequest;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The resources of a task.
 *
 * @param cpus cores
 * @param gpus number of GPUs, all on one node
 * @param memory of the machine in bytes, 0 for no requirement
 * @param gpuMemory bytes of each GPU; 0 for whole GPUs, -1 for what is measured of its type
 * @param gpuModel part of the model's name, or null
 * @param labels that its node must have
 * @param perGpu most tasks on each of its GPUs, 0 for no limit
 * @param gpuPercent known utilisation of its GPUs, 0 if unknown
 * @param bound the process that requires particular GPUs
 * @param nodes that it may run on; absent for all
 * @param excludeNodes that it must not run on; absent for none
 * @param resources amounts of counted resources; absent for none
 * @param shareIf least speed beside others, of that alone; absent for no promise
 */
public record NeedsAnswer(
    double cpus,
    int gpus,
    long memory,
    long gpuMemory,
    String gpuModel,
    Map<String, String> labels,
    int perGpu,
    int gpuPercent,
    @JsonInclude(JsonInclude.Include.NON_NULL) Bound bound,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) Set<String> nodes,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) Set<String> excludeNodes,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, Long> resources,
    @JsonInclude(JsonInclude.Include.NON_NULL) Double shareIf) {

  private static final double PERCENT = 100;

  /**
   * A process that has used GPUs already.
   *
   * @param pid as its node sees it
   * @param devices the UUIDs of its GPUs
   */
  public record Bound(long pid, List<String> devices) {

    private static Bound of(LeaseHolderProcess process) {
      return process == null
          ? null
          : new Bound(process.pid(), process.devices().stream().map(DeviceId::uuid).toList());
    }
  }

  public static NeedsAnswer of(ResourceRequest request) {
    return new NeedsAnswer(
        request.cpus(),
        request.gpus(),
        request.memory(),
        request.gpuMemory(),
        request.gpuModel(),
        request.labels(),
        request.perGpu(),
        request.gpuPercent(),
        Bound.of(request.bound()),
        request.nodeNeeds().only(),
        request.nodeNeeds().except(),
        request.nodeNeeds().counted(),
        request.shareIf() == 0 ? null : request.shareIf() / PERCENT);
  }
}
