package io.remuda.coordinator.cli.list;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.api.WaitText;
import io.remuda.coordinator.cli.output.ElapsedTime;
import io.remuda.coordinator.cli.output.TaskCountText;
import io.remuda.coordinator.cli.output.TrainingProgressText;
import io.remuda.coordinator.cli.show.JobTermsText;
import io.remuda.worker.job.SizeAndTimeParser;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** A column of the table of jobs. */
public enum JobColumn {
  JOB(Source.JOB),
  STATE(Source.JOB),
  TASKS(Source.JOB),
  TURN(Source.JOB),
  /** When it started, or may start. */
  START(Source.JOB),
  /** When it, or its next task, may start, in the usual table, which needs no earlier start. */
  EXPECTED(Source.JOB),
  SUBMITTED(Source.JOB),
  RAN(Source.JOB),
  NODE(Source.JOB),
  USER(Source.JOB),
  NAME(Source.JOB),
  REASON(Source.JOB),
  EXIT(Source.JOB),
  STARTED(Source.JOB),
  ENDED(Source.JOB),
  SUBMITTED_AT(Source.JOB),
  STARTED_AT(Source.JOB),
  ENDED_AT(Source.JOB),
  PEAK(Source.PEAK),
  CPUS(Source.ASKED),
  GPUS(Source.ASKED),
  MEM(Source.ASKED),
  PRIORITY(Source.ASKED),
  LIMIT(Source.ASKED),
  AFTER(Source.ASKED);

  /** Where its cells come from. */
  private enum Source {
    /** What the server says of every job that it lists. */
    JOB,
    /** What the job asked for, which the server adds on request. */
    ASKED,
    /** How much memory its tasks had, which the server adds on request. */
    PEAK
  }

  private static final Set<String> WITHOUT_PLACE = Set.of("submitted", "waiting");
  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm", Locale.ROOT);
  private static final DateTimeFormatter DAY =
      DateTimeFormatter.ofPattern("MM-dd HH:mm", Locale.ROOT);

  private static final DateTimeFormatter SECOND =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT);

  private final Source source;

  JobColumn(Source source) {
    this.source = source;
  }

  /** Returns its heading, by which it is chosen, too. */
  String heading() {
    return this == EXPECTED ? START.heading() : name().replace('_', '-');
  }

  /** Returns whether its cells are of what the job asked for. */
  boolean isOfTerms() {
    return source == Source.ASKED;
  }

  /** Returns whether its cells are of how much memory tasks had. */
  boolean isOfPeak() {
    return source == Source.PEAK;
  }

  /** Returns the columns that are shown if none are chosen; those with nothing to say are left. */
  static List<JobColumn> usual(JsonNode jobs) {
    boolean waits = false;
    boolean placed = false;
    boolean whole = false;
    for (JsonNode job : jobs) {
      whole |= !job.has("task");
      waits |= waits(job);
      placed |= !job.path("nodes").isEmpty();
    }
    List<JobColumn> columns = new ArrayList<>(List.of(JOB, STATE));
    columns.addAll(whole || jobs.isEmpty() ? List.of(TASKS) : List.of());
    columns.addAll(waits ? List.of(TURN, EXPECTED) : List.of());
    columns.addAll(List.of(SUBMITTED, RAN));
    columns.addAll(placed ? List.of(NODE) : List.of());
    columns.addAll(List.of(USER, NAME, REASON));
    return columns;
  }

  /** Returns whether a job waits, or has a turn for those of its tasks that wait. */
  private static boolean waits(JsonNode job) {
    return WITHOUT_PLACE.contains(job.path("state").asText()) || job.path("turn").isNumber();
  }

  /** Returns what it has of a job; null for nothing. */
  Object cell(JsonNode job, ZonedDateTime time) {
    Instant now = time.toInstant();
    JsonNode needs = job.path("needs");
    JsonNode terms = job.path("terms");
    return switch (this) {
      case JOB ->
          job.path("id").asText() + (job.has("task") ? "." + job.path("task").asText() : "");
      case STATE -> job.path("state").asText();
      case TASKS -> job.has("task") ? "1" : TaskCountText.of(job);
      case TURN -> job.path("turn").asText();
      case START ->
          job.path("startedAt").isTextual()
              ? absolute(text(job, "startedAt"), time)
              : start(job, time);
      case EXPECTED -> start(job, time);
      case SUBMITTED -> ElapsedTime.of(text(job, "submittedAt"), now);
      case RAN ->
          ElapsedTime.ran(text(job, "startedAt"), text(job, "endedAt"), job.path("ranMillis"), now);
      case NODE -> nodes(job);
      case USER -> job.path("user").asText();
      case NAME -> job.path("name").asText();
      case REASON -> TrainingProgressText.withReason(job, now);
      case EXIT -> exit(job);
      case STARTED -> ElapsedTime.of(text(job, "startedAt"), now);
      case ENDED -> ElapsedTime.of(text(job, "endedAt"), now);
      case SUBMITTED_AT -> absolute(text(job, "submittedAt"), time);
      case STARTED_AT -> absolute(text(job, "startedAt"), time);
      case ENDED_AT -> absolute(text(job, "endedAt"), time);
      case PEAK -> peak(job.path("peakRssBytes"));
      case CPUS -> needs.path("cpus").asText().replaceFirst("\\.0$", "");
      case GPUS -> number(needs.path("gpus"));
      case MEM -> memory(needs.path("memory").asLong());
      case PRIORITY -> number(terms.path("priority"));
      case LIMIT -> limit(terms.path("timeLimitMillis").asLong());
      case AFTER -> JobTermsText.after(terms);
    };
  }

  /**
   * Returns when a job, or the next task of one that runs, may start; a question mark if that is
   * not known, or nothing if nothing has a turn.
   */
  private static String start(JsonNode job, ZonedDateTime now) {
    String expected = text(job, "expectedStartAt");
    if (expected == null) {
      return waits(job) ? "?" : "";
    }
    String from = text(job, "expectedStartFrom");
    String until = text(job, "expectedStartUntil");
    return from == null || until == null
        ? "~" + time(expected, now)
        : interval(time(from, now), time(until, now));
  }

  private static String interval(String from, String until) {
    return from + (until.contains(" ") ? " to " : "-") + until;
  }

  private static String time(String instant, ZonedDateTime now) {
    ZonedDateTime time = Instant.parse(instant).atZone(now.getZone());
    return (time.toLocalDate().equals(now.toLocalDate()) ? TIME : DAY).format(time);
  }

  /** Returns the first node and the number of the others, as {@code lab7 +2}. */
  private static String nodes(JsonNode job) {
    int others = job.path("nodes").size() - 1 + job.path("nodesMore").asInt();
    return job.path("nodes").path(0).asText() + (others > 0 ? " +" + others : "");
  }

  private static String absolute(String instant, ZonedDateTime now) {
    return instant == null ? null : SECOND.format(Instant.parse(instant).atZone(now.getZone()));
  }

  /** Returns the exit code or signal; a dash if it has ended with neither, as without a place. */
  private static String exit(JsonNode job) {
    if (job.path("signal").isNumber()) {
      return "signal " + job.path("signal").asText();
    }
    String code = number(job.path("exitCode"));
    return code == null && job.path("endedAt").isTextual() ? "-" : code;
  }

  private static String peak(JsonNode bytes) {
    return bytes.isNumber() ? WaitText.bytes(bytes.asLong()) : "-";
  }

  private static String memory(long bytes) {
    return bytes == 0 ? null : WaitText.bytes(bytes);
  }

  private static String limit(long millis) {
    return millis == 0 ? null : SizeAndTimeParser.words(millis);
  }

  private static String number(JsonNode value) {
    return value.isNumber() ? value.asText() : null;
  }

  private static String text(JsonNode node, String field) {
    return node.path(field).isTextual() ? node.path(field).asText() : null;
  }
}
