package io.remuda.coordinator.schedule.filter;

import io.remuda.coordinator.schedule.model.DeviceOffer;
import io.remuda.coordinator.schedule.model.RemainingNodeCapacity;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.worker.job.ResourceRequest;
import java.util.List;
import java.util.Optional;

/** Requires enough devices of the model and kind; for whole devices they must be free. */
final class GpuFilter implements Filter {

  @Override
  public Optional<WaitReason> refusal(RemainingNodeCapacity node, ResourceRequest needs) {
    int wanted = needs.gpus();
    if (wanted == 0) {
      return Optional.empty();
    }
    int total = node.gpusOf(needs);
    if (total < wanted) {
      Optional<WaitReason> slices = onlySlices(node, needs, total);
      if (slices.isPresent() || needs.gpuModel() != null) {
        return slices.or(() -> Optional.of(lacksModel(node, needs)));
      }
    }
    int free = needs.gpuShare().isShared() ? total : node.gpusTaking(needs);
    return free < wanted
        ? Optional.of(new WaitReason.TooFewFreeGpus(node.name(), wanted, free, total))
        : Optional.empty();
  }

  /** Returns the reason if there are slices of GPUs that are not meant by the request. */
  private static Optional<WaitReason> onlySlices(
      RemainingNodeCapacity node, ResourceRequest needs, int total) {
    List<DeviceOffer> slices =
        node.offer().devices().stream()
            .filter(device -> device.slice() && device.isModel(needs.gpuModel()))
            .toList();
    return slices.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new WaitReason.OnlySlices(
                node.name(),
                needs.gpus(),
                total,
                slices.stream().map(DeviceOffer::model).distinct().toList()));
  }

  private static WaitReason lacksModel(RemainingNodeCapacity node, ResourceRequest needs) {
    return new WaitReason.LacksModel(
        node.name(),
        needs.gpuModel(),
        node.offer().devices().stream().map(DeviceOffer::model).distinct().toList());
  }
}
