package io.remuda.coordinator.replay;

import io.remuda.coordinator.drawing.request.SpanText;
import java.util.List;
import java.util.Locale;

/** A comparison as people read it: a line, a table and what is left out. */
public final class ComparisonText {

  /** Heads of the columns of {@link #rows}. */
  public static final List<String> HEADS =
      List.of("CASE", "MEAN WAIT", "P50", "P90", "MAX", "GPUS HELD", "PREEMPTED", "FAIRNESS");

  /** Characters of an instant up to its minutes. */
  private static final int MINUTES = 16;

  private ComparisonText() {}

  /** Returns of what it is. */
  public static String of(Comparison comparison) {
    return count(comparison.jobs(), "job")
        + ", "
        + count(comparison.tasks(), "task")
        + " of "
        + count(comparison.users(), "user")
        + " from "
        + comparison.from().substring(0, MINUTES).replace('T', ' ')
        + " to "
        + comparison.to().substring(0, MINUTES).replace('T', ' ')
        + " UTC, on "
        + count(comparison.nodes(), "node")
        + " with "
        + count(comparison.gpus(), "GPU");
  }

  /** Returns a row for each case. */
  public static List<List<String>> rows(Comparison comparison) {
    return comparison.cases().stream().map(ComparisonText::row).toList();
  }

  private static List<String> row(Comparison.Case one) {
    return List.of(
        one.name(),
        span(one.meanWait()),
        span(one.p50Wait()),
        span(one.p90Wait()),
        span(one.maxWait()),
        one.gpuPercent() == null ? "-" : String.format(Locale.ROOT, "%.1f %%", one.gpuPercent()),
        Long.toString(one.preemptions()),
        String.format(Locale.ROOT, "%.3f", one.fairness()));
  }

  /** Returns a sentence for each case with tasks that fit nowhere. */
  public static List<String> leftOut(Comparison comparison) {
    return comparison.cases().stream()
        .filter(one -> one.leftOut() != null)
        .map(one -> one.name() + ": " + count(one.leftOut(), "task") + " left out that fit nowhere")
        .toList();
  }

  private static String count(int count, String what) {
    return String.format(Locale.ROOT, "%,d %s%s", count, what, count == 1 ? "" : "s");
  }

  private static String span(double seconds) {
    return seconds < 10
        ? String.format(Locale.ROOT, "%.1f s", seconds)
        : SpanText.of(Math.round(seconds));
  }
}
