package io.remuda.coordinator.registry.policy;

import io.remuda.telemetry.model.DeviceId;
import java.util.HashMap;
import java.util.Map;

/**
 * What of a node gets no more tasks because a user has drained it, and why: the reasons are for
 * people, and empty if none is given.
 *
 * @param reason of the whole node; null if it gets tasks
 * @param gpus reasons of GPUs that were drained for themselves
 */
public record NodeDrain(String reason, Map<DeviceId, String> gpus) {

  /** Nothing is drained. */
  public static final NodeDrain NONE = new NodeDrain(null, Map.of());

  public NodeDrain {
    gpus = Map.copyOf(gpus);
  }

  /** Returns the drain of a node without GPUs that were drained for themselves. */
  public static NodeDrain whole(String reason) {
    return new NodeDrain(reason, Map.of());
  }

  /** Returns whether the whole node is drained. */
  public boolean isWhole() {
    return reason != null;
  }

  /** Returns it with the whole node drained; an empty reason keeps an earlier one. */
  public NodeDrain withNode(String why) {
    return new NodeDrain(newest(reason, why), gpus);
  }

  /** Returns it with a node that gets tasks; GPUs that were drained for themselves stay so. */
  public NodeDrain withoutNode() {
    return new NodeDrain(null, gpus);
  }

  /** Returns it with one more GPU drained; an empty reason keeps an earlier one. */
  public NodeDrain withGpu(DeviceId gpu, String why) {
    Map<DeviceId, String> all = new HashMap<>(gpus);
    all.put(gpu, newest(gpus.get(gpu), why));
    return new NodeDrain(reason, all);
  }

  /** Returns it with a GPU that gets tasks. */
  public NodeDrain withoutGpu(DeviceId gpu) {
    Map<DeviceId, String> others = new HashMap<>(gpus);
    others.remove(gpu);
    return new NodeDrain(reason, others);
  }

  private static String newest(String earlier, String given) {
    return given.isEmpty() && earlier != null ? earlier : given;
  }
}
