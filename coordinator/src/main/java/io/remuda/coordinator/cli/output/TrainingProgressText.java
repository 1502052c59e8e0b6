package io.remuda.coordinator.cli.output;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.worker.job.SizeAndTimeParser;
import java.time.Instant;

/** How far trainings are, for users. */
public final class TrainingProgressText {

  private static final int WIDTH = 10;

  private static final double MILLIS_OF_HOUR = 3_600_000;

  private TrainingProgressText() {}

  /** Returns the epochs done as numbers and a bar; empty for a job that is no training. */
  public static String bar(JsonNode job) {
    if (!job.path("epochs").isNumber()) {
      return "";
    }
    int total = job.path("epochs").asInt();
    int done = job.path("epochsDone").asInt();
    int full = (int) ((long) done * WIDTH / total);
    return "[" + "#".repeat(full) + ".".repeat(WIDTH - full) + "] " + done + "/" + total;
  }

  /** Returns the expected time to the end of a running training, such as {@code 3m}, or nothing. */
  public static String left(JsonNode job, Instant now) {
    String end = job.path("expectedEndAt").asText("");
    boolean known = !end.isEmpty() && !end.equals("null");
    return known ? ElapsedTime.span(now.toString(), end, now) : "";
  }

  /** Returns how far a training is, and for all jobs why they wait or have ended. */
  public static String withReason(JsonNode job, Instant now) {
    String reason = job.path("reason").asText("");
    String why = reason.equals("null") ? "" : reason;
    String bar = bar(job);
    if (bar.isEmpty()) {
      return why;
    }
    String left = left(job, now);
    return bar + (left.isEmpty() ? "" : ", " + left + " left") + (why.isEmpty() ? "" : "; " + why);
  }

  /** Returns a sentence on the epochs; null for a job that is no training. */
  public static String words(JsonNode job, Instant now) {
    if (!job.path("epochs").isNumber()) {
      return null;
    }
    StringBuilder words = new StringBuilder();
    words.append(job.path("epochsDone").asInt()).append(" of ").append(job.path("epochs").asInt());
    words.append(" done");
    long millis = job.path("epochMillis").asLong();
    if (job.path("epochMeasured").asBoolean()) {
      words.append(", ").append(SizeAndTimeParser.words(rounded(millis))).append(" each");
    }
    String left = left(job, now);
    if (!left.isEmpty()) {
      words.append(", about ").append(left).append(" left");
      words.append(job.path("epochMeasured").asBoolean() ? "" : " by your estimate");
    }
    words.append(estimate(job, millis));
    return words.toString();
  }

  /** Compares the user's estimate with what the measured epochs will take together. */
  private static String estimate(JsonNode job, long millis) {
    double hours = job.path("terms").path("training").path("estimatedHours").asDouble();
    if (hours == 0 || !job.path("epochMeasured").asBoolean()) {
      return "";
    }
    double measured = millis * job.path("epochs").asDouble() / MILLIS_OF_HOUR;
    return String.format(
        java.util.Locale.ROOT,
        "; estimated %.1f h in all, %.1f h by the newest epoch",
        hours,
        measured);
  }

  /** Returns whole seconds above ten of them. */
  private static long rounded(long millis) {
    return millis < 10_000 ? millis : millis / 1000 * 1000;
  }
}
