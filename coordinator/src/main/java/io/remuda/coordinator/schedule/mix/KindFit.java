package io.remuda.coordinator.schedule.mix;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What tasks take of the devices of a kind of nodes. */
final class KindFit {

  /**
   * What a demand takes.
   *
   * @param parts by kind of device, the bytes of a part, -1 for devices that do not suit
   * @param sizes by kind of device, the part of a device from 0 to 1
   */
  record Taken(long[] parts, double[] sizes) {}

  private static final Taken NOTHING = new Taken(new long[0], new double[0]);

  private final NodeKind kind;
  private final Map<GpuDemand, Taken> known = new HashMap<>();
  private final List<Taken> byNumber = new ArrayList<>();

  /** By kind of device and free thousandths, the part of a GPU that is expected to be filled. */
  private double[][] gaps = {};

  KindFit(NodeKind kind) {
    this.kind = kind;
  }

  /** Takes over another mix. */
  void learn(TaskMix mix, Map<Map<Integer, Double>, double[]> values) {
    gaps = new double[kind.devices().size()][];
    for (int device = 0; device < gaps.length; device++) {
      gaps[device] =
          values.computeIfAbsent(GapValues.sizes(kind.devices().get(device), mix), GapValues::of);
    }
  }

  /** Forgets demands that have no number. */
  void forget() {
    known.clear();
  }

  double gap(int device, int thousandths) {
    return gaps[device][thousandths];
  }

  /** Returns what a demand takes, null if it fits on no node of the kind. */
  Taken of(GpuDemand demand) {
    Taken taken = known.computeIfAbsent(demand, one -> make(one.shape()));
    return taken == NOTHING ? null : taken;
  }

  /** The same for a demand with a number. */
  Taken of(int number, List<GpuDemand> demands) {
    while (byNumber.size() <= number) {
      byNumber.add(of(demands.get(byNumber.size())));
    }
    return byNumber.get(number);
  }

  private Taken make(TaskShape shape) {
    if (shape.gpus() == 0 || !kind.hasLabelsOf(shape)) {
      return NOTHING;
    }
    long[] parts = new long[kind.devices().size()];
    double[] sizes = new double[parts.length];
    for (int i = 0; i < parts.length; i++) {
      NodeKind.DeviceKind device = kind.devices().get(i);
      parts[i] = device.suits(shape) ? device.part(shape) : -1;
      boolean part = shape.share().isShared() && device.memory() > 0;
      sizes[i] = part ? (double) parts[i] / device.memory() : 1;
    }
    return new Taken(parts, sizes);
  }
}
