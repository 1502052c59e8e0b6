package io.remuda.coordinator.schedule.mix;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a gap on a GPU is worth: the part of the GPU that is expected to be filled if, again and
 * again, the best of the next {@value #PATIENCE} tasks for one GPU is chosen for it.
 *
 * <pre>V(g) = E[max over those that fit of size + V(g − size)], 0 if none fits</pre>
 *
 * <p>A gap into which only rare tasks fit is worth little, so these tasks go there rather than to a
 * larger one. This is the value function of online bin packing with a known distribution, cut off
 * at a patience.
 */
final class GapValues {

  static final int PATIENCE = 20;

  private static final int WHOLE = 1000;

  private GapValues() {}

  /** Returns the share of the tasks for one device, by the thousandths of it that they take. */
  static Map<Integer, Double> sizes(NodeKind.DeviceKind device, TaskMix mix) {
    Map<Integer, Double> shares = new TreeMap<>();
    double all = 0;
    for (TaskMix.Part part : mix.parts()) {
      TaskShape shape = part.shape();
      if (shape.gpus() == 1 && device.suits(shape)) {
        shares.merge(size(device, shape), part.share(), Double::sum);
        all += part.share();
      }
    }
    double total = all;
    shares.replaceAll((size, share) -> share / total);
    return shares;
  }

  private static int size(NodeKind.DeviceKind device, TaskShape shape) {
    if (!shape.share().isShared() || device.memory() <= 0) {
      return WHOLE;
    }
    double part = (double) device.part(shape) / device.memory();
    return (int) Math.min(WHOLE, Math.max(1, Math.ceil(part * WHOLE - 1e-9)));
  }

  /**
   * Returns the value in GPUs of a gap of 0 to 1000 thousandths.
   *
   * @param sizes share of the tasks by the thousandths that they take
   */
  static double[] of(Map<Integer, Double> sizes) {
    int[] size = sizes.keySet().stream().mapToInt(Integer::intValue).toArray();
    double[] share = sizes.values().stream().mapToDouble(Double::doubleValue).toArray();
    double[] values = new double[WHOLE + 1];
    double[] worth = new double[size.length];
    for (int gap = 1; gap <= WHOLE; gap++) {
      int fit = 0;
      while (fit < size.length && size[fit] <= gap) {
        worth[fit] = size[fit] / (double) WHOLE + values[gap - size[fit]];
        fit++;
      }
      values[gap] = best(worth, share, fit);
    }
    return values;
  }

  /** Returns the expected maximum of the worth of the next tasks, of which only some fit. */
  private static double best(double[] worth, double[] share, int fit) {
    boolean[] done = new boolean[fit];
    Arrays.fill(done, false);
    double expected = 0;
    double others = 1;
    for (int turn = 0; turn < fit; turn++) {
      int best = -1;
      for (int i = 0; i < fit; i++) {
        if (!done[i] && (best < 0 || worth[i] > worth[best])) {
          best = i;
        }
      }
      done[best] = true;
      double after = Math.max(0, others - share[best]);
      expected += (Math.pow(others, PATIENCE) - Math.pow(after, PATIENCE)) * worth[best];
      others = after;
    }
    return expected;
  }
}
