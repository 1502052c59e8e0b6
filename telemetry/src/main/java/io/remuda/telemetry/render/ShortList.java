package io.remuda.telemetry.render;

import java.util.List;
import java.util.stream.Collectors;

/** Lists in sentences that name the first few. */
public final class ShortList {

  private ShortList() {}

  /**
   * Returns the first items and the number of the others, as {@code a, b and 3 more}.
   *
   * @param most how many are named, at least 1
   */
  public static String of(List<?> items, int most) {
    int more = items.size() - most;
    return items.stream().limit(most).map(Object::toString).collect(Collectors.joining(", "))
        + (more > 0 ? " and " + more + " more" : "");
  }
}
