package io.remuda.coordinator.api;

import io.remuda.coordinator.schedule.forecast.JobForecast;
import io.remuda.coordinator.schedule.forecast.StartIntervals;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Texts on who holds what a job waits for, and when the job may start. */
public final class HoldersAndForecastText {

  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm", Locale.ROOT);
  private static final DateTimeFormatter DAY =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm", Locale.ROOT);

  private HoldersAndForecastText() {}

  /** Returns one line for each holder, and one on turn and start. */
  public static List<String> of(Explanation explanation, ZonedDateTime now) {
    List<String> lines = new ArrayList<>();
    for (Explanation.Holder holder : explanation.holders()) {
      lines.add(
          holder.node()
              + ": job "
              + holder.job()
              + " ("
              + holder.name()
              + ", "
              + holder.user()
              + ") holds "
              + amounts(holder)
              + (holder.leftMillis() == null
                  ? ", without a time limit"
                  : ", until " + time(holder.leftMillis(), now) + " at the latest"));
    }
    JobForecast forecast = explanation.forecast();
    if (forecast != null) {
      lines.add(
          "its turn is number "
              + forecast.turn()
              + " of the waiting jobs; expected start: "
              + start(forecast, now));
    }
    return lines;
  }

  private static String start(JobForecast forecast, ZonedDateTime now) {
    if (forecast.startsInMillis() == null) {
      return "not known";
    }
    StartIntervals.Interval interval = forecast.interval();
    if (interval == null) {
      return "~"
          + time(forecast.startsInMillis(), now)
          + " (too few jobs have started to say how sure that is)";
    }
    String held =
        interval.shown() == 0
            ? ""
            : " (" + percent(interval) + " % of such times of the last 30 days have held)";
    String until = time(interval.untilMillis(), now);
    return time(interval.fromMillis(), now) + (until.contains(" ") ? " to " : "-") + until + held;
  }

  private static long percent(StartIntervals.Interval interval) {
    return Math.round(100.0 * interval.held() / interval.shown());
  }

  private static String amounts(Explanation.Holder holder) {
    List<String> parts = new ArrayList<>();
    if (holder.milliCpus() > 0 || (holder.gpus() == 0 && holder.memory() == 0)) {
      parts.add(WaitText.ofCpus(holder.milliCpus()));
    }
    if (holder.gpus() > 0) {
      parts.add(holder.gpus() + (holder.gpus() == 1 ? " GPU" : " GPUs"));
    }
    if (holder.memory() > 0) {
      parts.add(WaitText.bytes(holder.memory()));
    }
    return String.join(", ", parts)
        + (holder.tasks() == 1 ? "" : " by " + holder.tasks() + " tasks");
  }

  /** Returns a time as {@code 14:20}, with the date if it is on another day. */
  private static String time(long inMillis, ZonedDateTime now) {
    ZonedDateTime then = now.plusNanos(inMillis * 1_000_000);
    return (then.toLocalDate().equals(now.toLocalDate()) ? TIME : DAY).format(then);
  }
}
