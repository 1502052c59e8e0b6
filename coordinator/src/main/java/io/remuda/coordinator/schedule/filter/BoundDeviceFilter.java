package io.remuda.coordinator.schedule.filter;

import io.remuda.coordinator.schedule.model.DeviceOffer;
import io.remuda.coordinator.schedule.model.RemainingNodeCapacity;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.ResourceRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Requires that the devices that a process is bound to exist and have capacity. */
final class BoundDeviceFilter implements Filter {

  @Override
  public Optional<WaitReason> refusal(RemainingNodeCapacity node, ResourceRequest needs) {
    if (needs.bound() == null) {
      return Optional.empty();
    }
    List<DeviceId> wanted = needs.bound().devices();
    List<DeviceId> missing = new ArrayList<>(wanted);
    missing.removeAll(node.offer().devices().stream().map(DeviceOffer::id).toList());
    if (!missing.isEmpty()) {
      return Optional.of(new WaitReason.LacksGpus(node.name(), missing));
    }
    List<DeviceId> full = node.gpusWithoutRoom(needs, wanted);
    return full.isEmpty()
        ? Optional.empty()
        : Optional.of(new WaitReason.NoRoomOnGpus(node.name(), full));
  }
}
