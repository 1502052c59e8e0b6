package io.remuda.coordinator.drawing.request;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** What the colours of a timeline are by. */
public enum TimelineGrouping {
  JOB,
  USER,
  TYPE;

  /**
   * Returns the grouping of a name.
   *
   * @throws IllegalArgumentException if there is none
   */
  static TimelineGrouping of(String name) {
    return Arrays.stream(values())
        .filter(one -> one.label().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "by is one of "
                        + Arrays.stream(values())
                            .map(TimelineGrouping::label)
                            .collect(Collectors.joining(", "))));
  }

  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  String key(String job, String user, String type) {
    return switch (this) {
      case JOB -> "job " + job;
      case USER -> user;
      case TYPE -> type.isEmpty() ? "without a type" : type;
    };
  }
}
