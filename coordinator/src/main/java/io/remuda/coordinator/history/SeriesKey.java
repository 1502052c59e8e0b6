package io.remuda.coordinator.history;

import java.util.Objects;

/**
 * Which series it is.
 *
 * @param name of the GPU, node, attempt or part of the queue
 */
public record SeriesKey(SeriesKind kind, String name) {
  public SeriesKey {
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(name, "name");
  }
}
