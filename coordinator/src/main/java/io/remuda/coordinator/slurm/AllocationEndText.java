package io.remuda.coordinator.slurm;

import java.time.Duration;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** When an allocation ends, in words. */
final class AllocationEndText {

  private static final DateTimeFormatter TODAY = DateTimeFormatter.ofPattern("HH:mm", Locale.ROOT);
  private static final DateTimeFormatter LATER =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm", Locale.ROOT);

  private AllocationEndText() {}

  /** Returns such as {@code at 14:20}, on another day than now with the date. */
  static String of(Duration left, ZonedDateTime now) {
    ZonedDateTime end = now.plus(left);
    boolean today = end.toLocalDate().equals(now.toLocalDate());
    return "at " + end.format(today ? TODAY : LATER);
  }
}
