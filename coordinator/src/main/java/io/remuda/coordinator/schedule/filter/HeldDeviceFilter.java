package io.remuda.coordinator.schedule.filter;

import io.remuda.coordinator.schedule.model.DeviceOffer;
import io.remuda.coordinator.schedule.model.RemainingNodeCapacity;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.worker.job.ResourceRequest;
import java.util.List;
import java.util.Optional;

/** Requires enough suitable devices that are not held by processes outside this server's tasks. */
final class HeldDeviceFilter implements Filter {

  @Override
  public Optional<WaitReason> refusal(RemainingNodeCapacity node, ResourceRequest needs) {
    if (needs.gpus() == 0 || nothingIsHeld(node)) {
      return Optional.empty();
    }
    List<DeviceOffer> wanted =
        node.offer().devices().stream().filter(device -> device.isWanted(needs)).toList();
    List<DeviceOffer> held = wanted.stream().filter(device -> device.heldBy() != null).toList();
    boolean enoughIfNot = wanted.size() >= needs.gpus();
    boolean tooFewLeft = wanted.size() - held.size() < needs.gpus();
    return !held.isEmpty() && enoughIfNot && tooFewLeft
        ? Optional.of(
            new WaitReason.GpusHeldByOthers(
                node.name(), held.stream().map(DeviceOffer::id).toList(), held.get(0).heldBy()))
        : Optional.empty();
  }

  /** Nearly always so, and asked for each task on each node. */
  private static boolean nothingIsHeld(RemainingNodeCapacity node) {
    for (DeviceOffer device : node.offer().devices()) {
      if (device.heldBy() != null) {
        return false;
      }
    }
    return true;
  }
}
