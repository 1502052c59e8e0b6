package io.remuda.coordinator.schedule.mix;

import java.util.List;

/**
 * The shapes that tasks usually have.
 *
 * @param parts the most frequent shapes, in the order in which they were first seen
 */
public record TaskMix(List<Part> parts) {

  /** Nothing was seen yet. */
  public static final TaskMix EMPTY = new TaskMix(List.of());

  /**
   * A shape and how frequent it is.
   *
   * @param share of the tasks, from 0 to 1
   */
  public record Part(TaskShape shape, double share) {}

  /** Returns whether tasks need GPUs at all. */
  public boolean hasGpus() {
    for (Part part : parts) {
      if (part.shape().gpus() > 0) {
        return true;
      }
    }
    return false;
  }

  public TaskMix {
    parts = List.copyOf(parts);
  }
}
