package io.remuda.coordinator.drawing;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The times that a drawing's width stands for.
 *
 * @param from first second since 1970
 * @param to later
 * @param left where the first is, in pixels
 * @param right where the last is
 */
record TimeAxis(long from, long to, double left, double right, ZoneId zone) {

  private static final double LEFT = 66;
  private static final double LEFT_SMALL = 58;
  private static final long MINUTE = 60;
  private static final long HOUR = 3600;
  private static final long DAY = 86_400;
  private static final int TICK_PIXELS = 64;

  private static final long[] STEPS = {
    1,
    2,
    5,
    10,
    15,
    30,
    MINUTE,
    2 * MINUTE,
    5 * MINUTE,
    10 * MINUTE,
    15 * MINUTE,
    30 * MINUTE,
    HOUR,
    2 * HOUR,
    3 * HOUR,
    6 * HOUR,
    12 * HOUR,
    DAY,
    2 * DAY,
    7 * DAY,
    14 * DAY,
    28 * DAY
  };

  private static final DateTimeFormatter SECONDS = format("HH:mm:ss");
  private static final DateTimeFormatter MINUTES = format("HH:mm");
  private static final DateTimeFormatter DATE = format("d MMM");
  private static final DateTimeFormatter MONTH = format("MMM yyyy");
  private static final DateTimeFormatter WHOLE = format("d MMM yyyy, HH:mm:ss");

  /**
   * A time with a label.
   *
   * @param day the date, if it is the first of its day; else null
   */
  record Tick(long second, String label, String day) {}

  TimeAxis {
    if (from >= to) {
      throw new IllegalArgumentException("from must be before to, got " + from + " and " + to);
    }
  }

  /** Returns where axes begin at least, in pixels, so that drawings below each other agree. */
  static double left(DrawingOptions options) {
    return options.isSmall() ? LEFT_SMALL : LEFT;
  }

  private static DateTimeFormatter format(String pattern) {
    return DateTimeFormatter.ofPattern(pattern, Locale.ENGLISH);
  }

  /** Returns where a time is, in pixels; one outside is at the border. */
  double x(double second) {
    double inside = Math.max(from, Math.min(to, second));
    return left + (inside - from) / (to - from) * (right - left);
  }

  /** Returns a time in words. */
  String words(long second) {
    return WHOLE.format(at(second));
  }

  /** Returns a span of time in words. */
  String words(long first, long last) {
    ZonedDateTime begin = at(first);
    ZonedDateTime end = at(last);
    boolean sameDay = begin.toLocalDate().equals(end.toLocalDate());
    return WHOLE.format(begin) + " to " + (sameDay ? SECONDS : WHOLE).format(end);
  }

  private ZonedDateTime at(long second) {
    return Instant.ofEpochSecond(second).atZone(zone);
  }

  /** Returns times at a round distance in the zone, with labels that do not touch. */
  List<Tick> ticks() {
    double most = Math.max(1, (right - left) / TICK_PIXELS);
    long step = STEPS[STEPS.length - 1];
    while ((to - from) / (double) step > most) {
      step *= 2;
    }
    for (int at = STEPS.length - 1; at >= 0 && (to - from) / (double) STEPS[at] <= most; at--) {
      step = STEPS[at];
    }
    List<Long> times =
        step < HOUR ? even(step) : step < DAY ? hours(step / HOUR) : days(step / DAY);
    List<Tick> ticks = new ArrayList<>();
    LocalDate last = null;
    for (long time : times) {
      ZonedDateTime local = at(time);
      boolean next = !local.toLocalDate().equals(last);
      last = local.toLocalDate();
      if (step >= DAY) {
        ticks.add(new Tick(time, (step > 28 * DAY ? MONTH : DATE).format(local), null));
      } else {
        DateTimeFormatter clock = step < MINUTE ? SECONDS : MINUTES;
        ticks.add(new Tick(time, clock.format(local), next ? DATE.format(local) : null));
      }
    }
    return ticks;
  }

  private List<Long> even(long step) {
    long offset = at(from).getOffset().getTotalSeconds();
    List<Long> times = new ArrayList<>();
    for (long time = (-Math.floorDiv(-from - offset, step)) * step - offset;
        time <= to;
        time += step) {
      times.add(time);
    }
    return times;
  }

  private List<Long> hours(long hours) {
    List<Long> times = new ArrayList<>();
    LocalDate end = at(to).toLocalDate();
    for (LocalDate day = at(from).toLocalDate(); !day.isAfter(end); day = day.plusDays(1)) {
      for (int hour = 0; hour < 24; hour += (int) hours) {
        ZonedDateTime time = day.atTime(hour, 0).atZone(zone);
        if (time.getHour() == hour) { // an hour that the clocks leave out is another one
          addInside(times, time);
        }
      }
    }
    return times;
  }

  private List<Long> days(long days) {
    List<Long> times = new ArrayList<>();
    LocalDate end = at(to).toLocalDate();
    LocalDate first = at(from).toLocalDate();
    LocalDate begin = first.plusDays(Math.floorMod(-first.toEpochDay() - 3, days)); // 7: Mondays
    for (LocalDate day = begin; !day.isAfter(end); day = day.plusDays(days)) {
      addInside(times, day.atStartOfDay(zone));
    }
    return times;
  }

  private void addInside(List<Long> times, ZonedDateTime time) {
    long second = time.toEpochSecond();
    if (second >= from && second <= to) {
      times.add(second);
    }
  }
}
