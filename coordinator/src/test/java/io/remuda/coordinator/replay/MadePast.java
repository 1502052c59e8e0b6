package io.remuda.coordinator.replay;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.remuda.coordinator.drawing.request.ServerAnswers;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The answers of a server about a past that a test makes: {@code past.node("n1", 2).job("ann", 0,
 * 10, 60, 1)} for a job of Ann that was submitted at second 0, started at 10, ran 60 s and had a
 * GPU. The past ends at {@link #END}.
 */
final class MadePast implements ServerAnswers {

  /** Seconds from the beginning to the end of the past. */
  static final long END = 1000;

  private static final long BEGAN = 1_795_000_000;
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final List<String> nodes = new ArrayList<>();
  private final List<String> listed = new ArrayList<>();
  private final Map<String, String> answers = new HashMap<>();
  private String order = "fifo";
  private String terms = "";

  MadePast node(String name, int gpus) {
    List<String> devices = new ArrayList<>();
    for (int i = 0; i < gpus; i++) {
      devices.add(
          "{'uuid': '%s/%d', 'number': '%d', 'model': 'NVIDIA H100', 'memoryBytes': 80000}"
              .formatted(name, i, i));
    }
    nodes.add(
        "{'name': '%s', 'cpus': %d, 'memoryBytes': 1000000, 'labels': {'node': '%s'}, 'devices': [%s]}"
            .formatted(name, 4 * Math.max(1, gpus), name, String.join(",", devices)));
    return this;
  }

  MadePast ordered(String by) {
    order = by;
    return this;
  }

  /** Fields of the terms of the jobs that follow, as {@code 'priority': 5}. */
  MadePast terms(String fields) {
    terms = fields.isEmpty() ? "" : ", " + fields;
    return this;
  }

  MadePast job(String user, long submitted, long started, long ran, int gpus) {
    String id = Integer.toString(listed.size() + 1);
    String times =
        "'submittedAt': '%s', 'startedAt': '%s', 'endedAt': %s"
            .formatted(
                time(submitted),
                time(started),
                started + ran < END ? "'" + time(started + ran) + "'" : "null");
    String job =
        "'id': %s, 'name': 'job', 'user': '%s', 'state': 'succeeded', 'tasks': 1, %s"
            .formatted(id, user, times);
    listed.add(0, "{" + job + "}");
    answers.put(
        "/jobs/" + id,
        ("{%s, 'needs': {'cpus': 1, 'gpus': %d, 'memory': 0, 'gpuMemory': 0, 'labels': {}},"
                + " 'terms': {'policy': 'foresight', 'priority': 0 %s},"
                + " 'workload': {'argv': ['./a'], 'folder': '/'}, 'moreAttempts': false,"
                + " 'attempts': [{'id': '%s.0', 'index': 0, 'state': 'succeeded', 'attempt': 1,"
                + " 'devices': [%s], 'startedAt': '%s', 'endedAt': %s, 'preemptions': 0}]}")
            .formatted(
                job,
                gpus,
                terms,
                id,
                gpus == 0 ? "" : "'n1/0'",
                time(started),
                started + ran < END ? "'" + time(started + ran) + "'" : "null"));
    return this;
  }

  private static String time(long second) {
    return Instant.ofEpochSecond(BEGAN + second).toString();
  }

  /** Returns the past from a second on, as the reader reads it. */
  Past since(long second) throws IOException {
    return new PastReader(this, (BEGAN + second) * 1000, (BEGAN + END) * 1000)
        .read((done, all) -> {});
  }

  @Override
  public JsonNode get(String path) throws IOException {
    return MAPPER.readTree(answer(path).replace('\'', '"'));
  }

  private String answer(String path) {
    if (path.equals("/nodes")) {
      return "{'nodes': [%s], 'scheduling': {'order': '%s', 'reserveAfterMillis': 60000}}"
          .formatted(String.join(",", nodes), order);
    }
    if (path.equals("/users")) {
      return "{'users': []}";
    }
    if (path.startsWith("/jobs?")) {
      return "{'jobs': [%s]}".formatted(String.join(",", listed));
    }
    return answers.get(path);
  }
}
