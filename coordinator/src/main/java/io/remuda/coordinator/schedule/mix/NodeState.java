package io.remuda.coordinator.schedule.mix;

import io.remuda.coordinator.schedule.model.NodeOffer;
import io.remuda.coordinator.schedule.model.RemainingNodeCapacity;
import java.util.Arrays;
import java.util.List;

/**
 * What a node has free. Nodes that are alike have equal states, whatever their names. The devices
 * are sorted numbers: the index of the device's kind, its free bytes, and whether it may be lent
 * whole.
 */
final class NodeState {

  private static final int KIND_SHIFT = 52;
  private static final long BYTES = (1L << KIND_SHIFT - 1) - 1;

  final NodeKind kind;
  final long milliCpus;
  final long memory;
  private final long[] devices;
  private final int hash;

  private NodeState(NodeKind kind, long milliCpus, long memory, long[] devices) {
    this.kind = kind;
    this.milliCpus = milliCpus;
    this.memory = memory;
    this.devices = devices;
    Arrays.sort(devices);
    long mixed = 31 * (31 * milliCpus + memory) + Arrays.hashCode(devices);
    this.hash = System.identityHashCode(kind) ^ (int) (mixed ^ mixed >>> 32);
  }

  /**
   * Returns the state of a node.
   *
   * @param kind the one instance that stands for its kind
   */
  static NodeState of(RemainingNodeCapacity node, NodeKind kind) {
    boolean ready = node.offer().presence() == NodeOffer.Presence.READY && node.takesMore();
    long[] devices = node.freeOfDevices();
    List<NodeKind.DeviceKind> kinds = kind.devices();
    for (int i = 0; i < devices.length; i++) {
      long index =
          kinds.size() == 1 ? 0 : kinds.indexOf(NodeKind.DeviceKind.of(node.deviceOffer(i)));
      devices[i] = index << KIND_SHIFT | (ready ? devices[i] : 0);
    }
    return new NodeState(
        kind, ready ? node.freeCpus() : -1, ready ? node.freeMemory() : -1, devices);
  }

  int devices() {
    return devices.length;
  }

  long code(int device) {
    return devices[device];
  }

  int kindOf(int device) {
    return (int) (devices[device] >>> KIND_SHIFT);
  }

  long bytes(int device) {
    return devices[device] >>> 1 & BYTES;
  }

  boolean isWhole(int device) {
    return (devices[device] & 1) == 1;
  }

  StateRoom.Device device(int device) {
    NodeKind.DeviceKind of = kind.devices().get(kindOf(device));
    return new StateRoom.Device(
        of.model(), of.memory(), 2 * bytes(device) + (isWhole(device) ? 1 : 0));
  }

  /** Returns the free part of a device in thousandths; all or nothing if its size is unknown. */
  int thousandths(int device) {
    long total = kind.devices().get(kindOf(device)).memory();
    if (total <= 0 || isWhole(device)) {
      return isWhole(device) ? 1000 : 0;
    }
    return (int) Math.min(1000, bytes(device) * 1000 / total);
  }

  /**
   * Returns the state after tasks have taken something.
   *
   * @param chosen indexes of the devices
   * @param parts by kind of device, bytes of each; null if the devices are taken whole
   */
  NodeState without(TaskShape shape, int[] chosen, long[] parts) {
    long[] left = devices.clone();
    for (int device : chosen) {
      long kindBits = (long) kindOf(device) << KIND_SHIFT;
      long bytes = parts == null ? 0 : Math.max(0, bytes(device) - parts[kindOf(device)]);
      left[device] = kindBits | bytes << 1;
    }
    return new NodeState(kind, milliCpus - shape.milliCpus(), memory - shape.memory(), left);
  }

  @Override
  public int hashCode() {
    return hash;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof NodeState that
        && kind == that.kind
        && milliCpus == that.milliCpus
        && memory == that.memory
        && Arrays.equals(devices, that.devices);
  }
}
