package io.remuda.coordinator.schedule.filter;

import io.remuda.coordinator.schedule.model.DeviceOffer;
import io.remuda.coordinator.schedule.model.RemainingNodeCapacity;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.worker.job.ResourceRequest;
import java.util.Optional;

/** Requires enough devices of the model; for whole devices they must be free. */
final class GpuFilter implements Filter {

  @Override
  public Optional<WaitReason> refusal(RemainingNodeCapacity node, ResourceRequest needs) {
    int wanted = needs.gpus();
    if (wanted == 0) {
      return Optional.empty();
    }
    String model = needs.gpuModel();
    int total = node.gpusOf(model);
    if (model != null && total < wanted) {
      return Optional.of(
          new WaitReason.LacksModel(
              node.name(),
              model,
              node.offer().devices().stream().map(DeviceOffer::model).distinct().toList()));
    }
    int free = needs.gpuShare().isShared() ? total : node.wholeGpus(model);
    return free < wanted
        ? Optional.of(new WaitReason.TooFewFreeGpus(node.name(), wanted, free, total))
        : Optional.empty();
  }
}
