package io.remuda.coordinator.profile;

import java.util.ArrayList;
import java.util.List;

/**
 * How far forecasts of starts of jobs were off, the newest of the whole cluster.
 *
 * @param errors of the newest {@value #WINDOW} forecasts at most, the oldest first
 * @param early by how much more than these errors say the next interval begins earlier, in the unit
 *     of their logarithms; below 0 for later
 * @param late by how much more it ends later
 * @param days counts of the newest {@value #DAYS} days at most, the oldest first
 */
public record StartErrors(List<Error> errors, double early, double late, List<Day> days) {

  /** Number of forecasts that count; at ten jobs that wait a day, those of about a month. */
  public static final int WINDOW = 400;

  /** Number of days of which counts are kept. */
  public static final int DAYS = 30;

  /** No forecasts. */
  public static final StartErrors NONE = new StartErrors(List.of(), 0, 0, List.of());

  /**
   * A forecast of a job that has started.
   *
   * @param waitMillis how long it was expected to wait on
   * @param millionths of the natural logarithm of how much longer than that it has waited on
   */
  public record Error(long waitMillis, int millionths) {}

  /**
   * The forecasts with an interval of jobs that have started on a day.
   *
   * @param day since 1970, in UTC
   * @param all number of these forecasts
   * @param kept number of those whose interval held
   */
  public record Day(long day, int all, int kept) {}

  public StartErrors {
    errors = errors == null ? List.of() : List.copyOf(errors);
    days = days == null ? List.of() : List.copyOf(days);
  }

  /** Returns these with one more forecast. */
  public StartErrors and(Error newest) {
    List<Error> all = new ArrayList<>(errors);
    all.add(newest);
    List<Error> last = all.subList(Math.max(0, all.size() - WINDOW), all.size());
    return new StartErrors(last, early, late, days);
  }

  /** Returns these with other corrections of the interval. */
  public StartErrors corrected(double earlier, double later) {
    return new StartErrors(errors, earlier, later, days);
  }

  /** Returns these after a forecast with an interval was followed by a start. */
  public StartErrors counted(long day, boolean held) {
    List<Day> all = new ArrayList<>(days);
    Day last = all.isEmpty() ? null : all.get(all.size() - 1);
    Day before = last == null || last.day() < day ? new Day(day, 0, 0) : last;
    if (before == last) {
      all.remove(last);
    }
    all.add(new Day(before.day(), before.all() + 1, before.kept() + (held ? 1 : 0)));
    all.removeIf(one -> one.day() <= day - DAYS);
    return new StartErrors(errors, early, late, all);
  }
}
