package io.remuda.coordinator.report.server;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.drawing.UnitText;
import io.remuda.coordinator.drawing.request.JobAttempts;
import io.remuda.coordinator.drawing.request.SpanText;
import io.remuda.coordinator.report.ReportBlock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Jobs as tables of a report. */
final class JobTables {

  private static final int MOST_ROWS = 500;
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("d MMM HH:mm", Locale.ENGLISH);

  private final long now;
  private final ZoneId zone;

  JobTables(long now, ZoneId zone) {
    this.now = now;
    this.zone = zone;
  }

  /** Returns all jobs, the newest first. */
  ReportBlock list(List<ReportedJob> jobs) {
    List<List<String>> rows = new ArrayList<>();
    for (ReportedJob one : jobs.subList(0, Math.min(MOST_ROWS, jobs.size()))) {
      JsonNode job = one.job();
      rows.add(
          List.of(
              job.path("id").asText(),
              job.path("name").asText(),
              job.path("user").asText(),
              job.path("state").asText(),
              job.path("tasks").asText(),
              time(job.path("submittedAt")),
              SpanText.of(one.waited(now)),
              hours(one.sums().hours()),
              one.sums().gpuHours() == 0 ? "" : hours(one.sums().gpuHours())));
    }
    return new ReportBlock.Table(
        List.of(
            ">Job",
            "Name",
            "User",
            "State",
            ">Tasks",
            "Submitted",
            ">Waited",
            ">Hours",
            ">GPU hours"),
        rows);
  }

  /** Returns the jobs that waited longest, with the reason where it is known. */
  ReportBlock waiting(List<ReportedJob> jobs, int most) {
    List<List<String>> rows = new ArrayList<>();
    jobs.stream()
        .sorted(Comparator.comparingLong((ReportedJob job) -> job.waited(now)).reversed())
        .limit(most)
        .forEach(
            one ->
                rows.add(
                    List.of(
                        one.job().path("id").asText(),
                        one.job().path("name").asText(),
                        one.job().path("user").asText(),
                        SpanText.of(one.waited(now)),
                        one.job().path("startedAt").isTextual()
                            ? "has started"
                            : text(one.job().path("reason")))));
    return new ReportBlock.Table(List.of(">Job", "Name", "User", ">Waited", "Why"), rows);
  }

  /** Returns why a job waited, from when to when. */
  ReportBlock reasons(List<JsonNode> reasons) {
    List<List<String>> rows = new ArrayList<>();
    for (JsonNode reason : reasons) {
      long from = reason.path("from").asLong();
      long to = reason.path("to").isNumber() ? reason.path("to").asLong() : now;
      rows.add(
          List.of(
              time(from),
              SpanText.of(to - from) + (reason.path("to").isNumber() ? "" : " so far"),
              reason.path("text").asText(),
              text(reason.path("turn")),
              reason.path("expectedStart").isNumber()
                  ? time(reason.path("expectedStart").asLong())
                  : ""));
    }
    return new ReportBlock.Table(
        List.of("Waited from", ">For", "Why", ">Turn", "Expected to start"), rows);
  }

  /** Returns what tasks asked for beside what they used, those that held most first. */
  ReportBlock used(List<ReportedJob> jobs, int most) {
    List<List<String>> rows = new ArrayList<>();
    jobs.stream()
        .filter(one -> one.sums().hours() > 0)
        .sorted(
            Comparator.comparingDouble((ReportedJob one) -> -one.sums().gpuHours())
                .thenComparingDouble(one -> -one.sums().hours()))
        .limit(most)
        .forEach(one -> rows.add(used(one)));
    return new ReportBlock.Table(
        List.of(
            ">Job",
            "Name",
            ">CPUs",
            "CPU used",
            ">Memory",
            "Memory used",
            ">GPUs",
            "GPU used",
            ">GPU memory",
            "GPU memory used"),
        rows);
  }

  private List<String> used(ReportedJob one) {
    boolean gpus = one.needs("gpus") > 0;
    return List.of(
        one.job().path("id").asText(),
        one.job().path("name").asText(),
        UnitText.of(one.needs("cpus"), ""),
        percent(one.sums().mean("cpuPercent"), "mean"),
        bytes(one.needs("memory"), "not said"),
        share(one.sums().greatest("peakRssBytes"), one.needs("memory")),
        gpus ? UnitText.of(one.needs("gpus"), "") : "",
        gpus ? percent(one.sums().mean("gpuPercent"), "mean") : "",
        gpus ? bytes(one.needs("gpuMemory"), "whole") : "",
        gpus ? share(one.sums().greatest("gpuPeakBytes"), one.needs("gpuMemory")) : "");
  }

  private static String percent(double value, String what) {
    return Double.isNaN(value) ? "unknown" : Math.round(value) + " % " + what;
  }

  private static String bytes(double value, String none) {
    return value <= 0 ? none : UnitText.of(value, "bytes");
  }

  private static String share(double used, double asked) {
    if (Double.isNaN(used)) {
      return "unknown";
    }
    String most = UnitText.of(used, "bytes") + " at most";
    return asked <= 0 ? most : most + ", " + Math.round(100 * used / asked) + " %";
  }

  static String hours(double hours) {
    return String.format(Locale.ROOT, hours < 10 ? "%.2f" : "%.1f", hours);
  }

  static String text(JsonNode value) {
    return value.isNull() || value.isMissingNode() ? "" : value.asText();
  }

  String time(JsonNode time) {
    return time.isTextual() ? time(JobAttempts.second(time)) : "";
  }

  String time(long second) {
    return TIME.format(Instant.ofEpochSecond(second).atZone(zone));
  }
}
