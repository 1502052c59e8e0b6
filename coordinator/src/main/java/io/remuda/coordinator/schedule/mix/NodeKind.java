package io.remuda.coordinator.schedule.mix;

import io.remuda.coordinator.schedule.model.DeviceOffer;
import io.remuda.coordinator.schedule.model.NodeOffer;
import java.util.List;
import java.util.Map;

/**
 * What is the same for all nodes of a kind.
 *
 * @param labels without those that have the node's own name as their value
 * @param devices the different devices that there are on such nodes
 */
record NodeKind(Map<String, String> labels, List<DeviceKind> devices) {

  /**
   * What is the same for all devices of a kind.
   *
   * @param model product name
   * @param memory usable bytes, 0 if not known
   * @param slice whether it is a part of a GPU
   */
  record DeviceKind(String model, long memory, boolean slice) {
    static DeviceKind of(DeviceOffer device) {
      return new DeviceKind(device.model(), device.totalMemory(), device.slice());
    }

    /** Returns whether tasks of the shape may have such a device. */
    boolean suits(TaskShape shape) {
      return DeviceOffer.matches(model, shape.gpuModel())
          && (slice == DeviceOffer.asksForSlices(shape.gpuModel())
              || slice && shape.gpus() == 1 && shape.share().isByMemory());
    }

    /** Returns the bytes of such a device that a task of the shape takes. */
    long part(TaskShape shape) {
      return shape.share().partOf(memory);
    }
  }

  static NodeKind of(NodeOffer offer) {
    Map<String, String> labels = new java.util.TreeMap<>(offer.labels());
    labels.values().removeIf(offer.node()::equals);
    return new NodeKind(
        Map.copyOf(labels), offer.devices().stream().map(DeviceKind::of).distinct().toList());
  }

  /** Returns whether the node has the labels that tasks of the shape want. */
  boolean hasLabelsOf(TaskShape shape) {
    return shape.labels().entrySet().stream()
        .allMatch(one -> NodeOffer.matches(labels.get(one.getKey()), one.getValue()));
  }
}
