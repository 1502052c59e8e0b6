package io.remuda.coordinator.ensemble.report;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.drawing.AttemptRow;
import io.remuda.coordinator.drawing.AttemptSpan;
import io.remuda.coordinator.drawing.GpuSpan;
import io.remuda.json.PlainJson;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The tasks of a run by its event log: when each attempt ran, where, and how it ended. */
final class RunTasks {

  private static final int MOST_TASKS = 5000;

  /** An attempt; {@code to} is null until it has left its place. */
  private static final class Attempt {
    private final int number;
    private final long from;
    private final String node;
    private final List<String> devices;
    private Long to;
    private AttemptSpan.Kind kind = AttemptSpan.Kind.RUNS;
    private String cause = "";

    private Attempt(int number, long from, String node, List<String> devices) {
      this.number = number;
      this.from = from;
      this.node = node;
      this.devices = devices;
    }
  }

  private final Map<String, List<Attempt>> tasks =
      new TreeMap<>(
          Comparator.comparingInt((String task) -> part(task, 0))
              .thenComparingInt(task -> part(task, 1))
              .thenComparing(Comparator.naturalOrder()));

  private static int part(String task, int at) {
    String[] parts = task.split("\\.");
    return at < parts.length && parts[at].matches("\\d{1,9}") ? Integer.parseInt(parts[at]) : 0;
  }

  private RunTasks() {}

  /** Reads an event log; a line that is not whole ends it. */
  static RunTasks read(Path events) throws IOException {
    RunTasks read = new RunTasks();
    try (BufferedReader lines = Files.newBufferedReader(events)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        try {
          read.add(PlainJson.MAPPER.readTree(line));
        } catch (com.fasterxml.jackson.core.JsonProcessingException cut) {
          break;
        }
      }
    }
    return read;
  }

  private void add(JsonNode event) {
    if (!event.path("type").asText().equals("task")
        || (tasks.size() >= MOST_TASKS && !tasks.containsKey(event.path("task").asText()))) {
      return;
    }
    List<Attempt> attempts =
        tasks.computeIfAbsent(event.path("task").asText(), task -> new ArrayList<>());
    long at = Instant.parse(event.path("at").asText()).getEpochSecond();
    int number = event.path("attempt").asInt();
    String to = event.path("to").asText();
    Attempt last = attempts.isEmpty() ? null : attempts.get(attempts.size() - 1);
    boolean placed = event.path("node").isTextual();
    if (placed && (last == null || last.number != number)) {
      List<String> devices = new ArrayList<>();
      event.path("devices").forEach(device -> devices.add(device.asText()));
      attempts.add(new Attempt(number, at, event.path("node").asText(), devices));
      last = attempts.get(attempts.size() - 1);
    }
    if (last != null && last.to == null && event.path("releases").asBoolean()) {
      last.to = at;
      last.kind = kind(to);
      last.cause = event.path("cause").asText("");
    }
  }

  private static AttemptSpan.Kind kind(String state) {
    return switch (state) {
      case "succeeded" -> AttemptSpan.Kind.SUCCEEDED;
      case "failed" -> AttemptSpan.Kind.FAILED;
      case "cancelled" -> AttemptSpan.Kind.CANCELLED;
      case "lost" -> AttemptSpan.Kind.LOST;
      default -> AttemptSpan.Kind.AGAIN;
    };
  }

  int size() {
    return tasks.size();
  }

  /** Returns the rows of the first tasks, waiting from the start of the run on. */
  List<AttemptRow> rows(int most, long start, long end) {
    return tasks.entrySet().stream()
        .limit(most)
        .map(task -> row(task.getKey(), task.getValue(), start, end))
        .toList();
  }

  private static AttemptRow row(String task, List<Attempt> attempts, long start, long end) {
    List<AttemptSpan> spans = new ArrayList<>();
    long waits = start;
    for (Attempt attempt : attempts) {
      waited(spans, waits, attempt.from);
      spans.add(
          new AttemptSpan(
              attempt.from,
              attempt.to,
              attempt.kind,
              attempt.node,
              "try "
                  + attempt.number
                  + " on "
                  + attempt.node
                  + ", "
                  + attempt.kind.words()
                  + (attempt.cause.isEmpty() ? "" : ": " + attempt.cause)));
      waits = attempt.to == null ? end : attempt.to;
    }
    boolean waiting =
        attempts.isEmpty() || attempts.get(attempts.size() - 1).kind == AttemptSpan.Kind.AGAIN;
    if (waiting) {
      waited(spans, waits, end);
    }
    return new AttemptRow(task, spans);
  }

  private static void waited(List<AttemptSpan> spans, long from, long to) {
    if (to > from) {
      spans.add(
          new AttemptSpan(from, to, AttemptSpan.Kind.WAITED, "", "waited " + (to - from) + " s"));
    }
  }

  /**
   * Returns what ran on GPUs.
   *
   * @param gpus names by UUID; others are left out
   */
  List<GpuSpan> onGpus(Map<String, String> gpus) {
    List<GpuSpan> spans = new ArrayList<>();
    tasks.forEach(
        (task, attempts) -> {
          for (Attempt attempt : attempts) {
            for (String device : attempt.devices) {
              if (gpus.containsKey(device)) {
                spans.add(
                    new GpuSpan(
                        gpus.get(device),
                        attempt.from,
                        attempt.to,
                        GpuSpan.Kind.USED,
                        "task " + task,
                        task,
                        "task " + task + ", try " + attempt.number + ", " + attempt.kind.words()));
              }
            }
          }
        });
    return spans;
  }
}
