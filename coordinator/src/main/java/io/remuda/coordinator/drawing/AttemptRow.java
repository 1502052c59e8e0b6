package io.remuda.coordinator.drawing;

import java.util.List;

/**
 * A task with its attempts.
 *
 * @param label as {@code 12.0}
 * @param spans by time, none of which overlap
 */
public record AttemptRow(String label, List<AttemptSpan> spans) {

  public AttemptRow {
    spans = List.copyOf(spans);
  }
}
