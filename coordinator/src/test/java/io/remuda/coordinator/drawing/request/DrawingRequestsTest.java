package io.remuda.coordinator.drawing.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.remuda.coordinator.client.RestFailureException;
import io.remuda.coordinator.drawing.SvgDocument;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DrawingRequestsTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String NODES =
      """
      {"nodes": [{"name": "gpu1", "devices": [
        {"uuid": "GPU-a", "number": "0"}, {"uuid": "GPU-b", "number": "1"}]}]}""";

  private final Map<String, String> answers = new LinkedHashMap<>();
  private final List<String> asked = new ArrayList<>();
  private final DrawingRequests drawings =
      new DrawingRequests(
          this::answer, Clock.fixed(Instant.parse("2026-11-28T17:00:00Z"), ZoneOffset.UTC));

  private JsonNode answer(String path) throws IOException {
    asked.add(path);
    String longest =
        answers.keySet().stream()
            .filter(path::startsWith)
            .max(Comparator.comparing(String::length))
            .orElse("");
    String answer = answers.getOrDefault(longest, "404");
    if (answer.matches("\\d{3}")) {
      throw new RestFailureException(Integer.parseInt(answer), "no answer to " + path);
    }
    return JSON.readTree(answer);
  }

  private static String history(String... series) {
    return "{\"from\": 1795884300, \"step\": 100, \"series\": [" + String.join(",", series) + "]}";
  }

  private static String series(String name, String metric, String unit, String mean) {
    return ("{\"name\": \"%s\", \"curves\": [{\"metric\": \"%s\", \"unit\": \"%s\","
            + " \"mean\": %s}]}")
        .formatted(name, metric, unit, mean);
  }

  private SvgDocument draw(String name, String... query) throws IOException {
    Map<String, String> asks = new LinkedHashMap<>();
    for (int at = 0; at < query.length; at += 2) {
      asks.put(query[at], query[at + 1]);
    }
    return SvgDocument.of(drawings.svg(name, asks).orElseThrow());
  }

  @Test
  void a_gpu_is_asked_for_by_the_name_that_people_know() throws IOException {
    answers.put("/nodes", NODES);
    answers.put("/history", history(series("GPU-b", "power", "watts", "[10, null, 30]")));
    SvgDocument svg = draw("gpu.svg", "name", "gpu1:1", "since", "6h", "width", "400");
    assertEquals(
        "/history?kind=gpu&from=1795863601&to=1795885201&points=400&name=GPU-b", asked.get(1));
    assertEquals("GPU gpu1:1", svg.texts("title").get(0));
    assertTrue(
        svg.root("aria-label").endsWith("power 10 W to 30 W, mean 20 W"), svg.root("aria-label"));
  }

  @Test
  void used_and_lent_memory_share_a_panel() throws IOException {
    answers.put("/nodes", NODES);
    answers.put(
        "/history",
        history(
            series("GPU-a", "memoryUsed", "bytes", "[1073741824]"),
            series("GPU-a", "memoryLent", "bytes", "[2147483648]"),
            series("GPU-a", "fanSpeed", "ratio", "[0.5]")));
    SvgDocument svg = draw("gpu", "name", "GPU-a");
    List<String> texts = svg.texts("text");
    assertTrue(
        texts.containsAll(
            List.of("memory", "used · mean 1 GiB · max 1 GiB", "lent · mean 2 GiB · max 2 GiB")),
        texts::toString);
    assertTrue(texts.contains("fan speed"), "a metric that is new here: " + texts);
  }

  @Test
  void a_job_is_drawn_from_its_submission_to_its_end() throws IOException {
    answers.put(
        "/jobs/12",
        """
        {"id": 12, "name": "<b>", "tasks": 1, "submittedAt": "2026-11-28T15:00:00Z",
         "endedAt": "2026-11-28T16:00:00Z"}""");
    answers.put("/history", history(series("12.0.1", "cpu", "cores", "[1, 2]")));
    SvgDocument svg = draw("job.svg", "job", "12");
    assertEquals("1795878000", svg.root("data-from"));
    assertEquals("1795881601", svg.root("data-to"));
    assertEquals("Job 12, <b>", svg.texts("title").get(0));
  }

  @Test
  void attempts_of_many_tasks_are_taken_together() throws IOException {
    answers.put("/jobs/12", "{\"id\": 12, \"name\": \"x\", \"tasks\": 9}");
    String[] all = new String[9];
    for (int task = 0; task < 9; task++) {
      all[task] = series("12." + task + ".1", "cpu", "cores", "[" + task + ", 4]");
    }
    answers.put("/history", history(all));
    SvgDocument svg = draw("job", "job", "12");
    assertTrue(
        svg.root("aria-label")
            .endsWith("CPU mean and range of 9 attempts 0 cores to 8 cores, mean 4 cores"),
        svg.root("aria-label"));
  }

  private static String reported(String name, String... curves) {
    return "{\"name\": \"%s\", \"curves\": [], \"reported\": [%s]}"
        .formatted(name, String.join(",", curves));
  }

  private static String curve(String metric, String time, String mean) {
    return "{\"metric\": \"%s\", \"time\": %s, \"mean\": %s}".formatted(metric, time, mean);
  }

  private static final String JOB_12 =
      """
      {"id": 12, "name": "x", "tasks": 2, "submittedAt": "2026-11-28T15:00:00Z",
       "endedAt": "2026-11-28T15:01:40Z"}""";

  @Test
  void what_tasks_report_is_compared_beside_their_readings() throws IOException {
    answers.put("/jobs/12", JOB_12);
    answers.put(
        "/history",
        history(
            series("12.0.1", "cpu", "cores", "[1, 2]"),
            reported("12.0.1", curve("loss", "[1795878010.5, 1795878020.2]", "[4, 2]")),
            reported("12.1.2", curve("loss", "[1795878010.5, 1795878090]", "[8, 6]"))));
    SvgDocument svg = draw("job", "job", "12");
    assertTrue(
        svg.root("aria-label")
            .endsWith(
                "CPU 12.0 1 cores to 2 cores, mean 1.5 cores;"
                    + " reported loss 12.0 2 to 4, mean 3;"
                    + " reported loss 12.1 try 2 6 to 8, mean 7"),
        svg.root("aria-label"));
    assertEquals(1, svg.texts("text").stream().filter("reported loss"::equals).count());
  }

  @Test
  void reported_values_of_one_step_are_taken_together_and_joined_to_the_next() throws IOException {
    answers.put("/jobs/12", JOB_12);
    answers.put(
        "/history",
        history(
            reported(
                "12.0.1",
                """
                {"metric": "loss", "time": [1795878010.1, 1795878010.6, 1795878014],
                 "mean": [1, 4, 7], "min": [0, 3, 7], "max": [2, 9, 7], "values": [1, 2, 1]}""")));
    SvgDocument svg = draw("job", "job", "12");
    assertTrue(
        svg.root("aria-label").endsWith("reported loss 0 to 9, mean 5"), svg.root("aria-label"));
    assertEquals(2, svg.texts("title").stream().filter("no readings"::equals).count());
  }

  @Test
  void the_twelve_names_that_were_reported_first_are_drawn() throws IOException {
    answers.put("/jobs/12", JOB_12);
    String[] curves = new String[14];
    for (int name = 0; name < curves.length; name++) {
      curves[name] = curve("m" + (char) ('a' + name), "[" + (1795878050 - name) + "]", "[1]");
    }
    answers.put("/history", history(reported("12.0.1", curves)));
    List<String> panels =
        draw("job", "job", "12").texts("text").stream()
            .filter(text -> text.startsWith("reported"))
            .toList();
    assertEquals(12, panels.size());
    assertEquals("reported mn", panels.get(0));
    assertEquals("reported mc", panels.get(11));
  }

  @Test
  void a_server_that_refuses_reported_values_is_asked_for_readings_alone() throws IOException {
    answers.put("/jobs/12", JOB_12);
    answers.put("/history?", "400");
    String readings = "&name=12&metric=cpu%2Cmemory%2CgpuMemory%2CgpuUtilization";
    answers.put(
        "/history?kind=task&from=1795878000&to=1795878101&points=900" + readings,
        history(series("12.0.1", "cpu", "cores", "[1, 2]")));
    assertTrue(draw("job", "job", "12").texts("text").contains("CPU"));
    RestFailureException none =
        assertThrows(RestFailureException.class, () -> draw("job", "job", "12", "metric", "loss"));
    assertEquals(400, none.status(), "what alone was asked for is not left out silently");
  }

  @Test
  void an_answer_with_too_many_reported_values_is_asked_for_with_fewer_points() throws IOException {
    answers.put("/jobs/12", JOB_12.replace("\"tasks\": 2", "\"tasks\": 100"));
    answers.put("/history?kind=task&from=1795878000&to=1795878101&points=250&name=12", "400");
    answers.put(
        "/history?kind=task&from=1795878000&to=1795878101&points=92&name=12",
        history(reported("12.0.1", curve("loss", "[1795878010]", "[4]"))));
    assertTrue(draw("job", "job", "12").texts("text").contains("reported loss"));
  }

  @Test
  void attempts_have_their_waiting_their_nodes_and_their_ends() throws IOException {
    answers.put(
        "/jobs/12/tasks",
        """
        {"tasks": [{"id": "12.0", "state": "failed", "attempt": 2, "node": "gpu2", "exitCode": 1,
          "cause": "it exited", "startedAt": "2026-11-28T15:20:00Z",
          "endedAt": "2026-11-28T15:30:00Z", "earlier": [{"attempt": 1, "node": "gpu1",
          "startedAt": "2026-11-28T15:05:00Z", "endedAt": "2026-11-28T15:10:00Z",
          "cause": "its agent was lost"}]}]}""");
    answers.put(
        "/jobs/12/waiting",
        """
        {"since": 0, "reasons": [{"task": 0, "reason": "no-room-on-gpus", "turn": 3,
          "text": "GPU memory: <b>", "from": 1795878000, "to": 1795878300}]}""");
    answers.put(
        "/jobs/12",
        """
        {"id": 12, "name": "x", "tasks": 2, "submittedAt": "2026-11-28T15:00:00Z"}""");
    SvgDocument svg = draw("attempts.svg", "job", "12");
    assertTrue(
        svg.texts("title")
            .containsAll(
                List.of(
                    "waited 5 min: GPU memory: <b>, turn 3",
                    "waited 5 min for its turn",
                    "try 1 on gpu1, 5 min, tried again: its agent was lost",
                    "waited 10 min for another try",
                    "try 2 on gpu2, 10 min, failed: exit 1, it exited")),
        svg.texts("title")::toString);
    assertTrue(svg.texts("text").contains("and 1 more task"), svg.texts("text")::toString);
  }

  @Test
  void the_queue_has_users_and_reasons() throws IOException {
    answers.put(
        "/history",
        history(
            series("all", "waiting", "tasks", "[3]"),
            series("user:ann", "waiting", "tasks", "[2]"),
            series("reason:no-room-on-gpus", "waiting", "tasks", "[1]")));
    List<String> texts = draw("queue.svg").texts("text");
    assertTrue(
        texts.containsAll(
            List.of(
                "tasks",
                "waiting by user",
                "ann · mean 2 · max 2",
                "waiting by reason",
                "no room on gpus · mean 1 · max 1")),
        texts::toString);
  }

  @Test
  void what_ran_where_has_the_reasons_of_gaps() throws IOException {
    answers.put("/nodes", NODES);
    answers.put(
        "/timeline?from=1795881601&to=1795885201&node=gpu1",
        """
        {"spans": [{"gpu": "gpu1:0", "from": 1795881601, "to": null, "job": 7, "task": 2,
          "attempt": 1, "user": "ann", "type": null, "memory": 1073741824}], "gaps": [
          {"gpu": "gpu1:1", "from": 1795881601, "to": 1795883401, "reason": "nobody-waited"},
          {"gpu": "gpu1:1", "from": 1795883401, "to": null, "reason": "kept-for", "job": 17},
          {"gpu": "gone:0", "from": 1795883401, "to": null, "reason": "unknown"}]}""");
    SvgDocument svg = draw("timeline", "since", "1h", "node", "gpu1", "by", "user");
    assertTrue(
        svg.texts("title")
            .containsAll(
                List.of(
                    "task 7.2, try 1, of ann, 1 h so far, 1 GiB",
                    "nobody waited, 30 min",
                    "kept for job 17, 30 min")),
        svg.texts("title")::toString);
    assertEquals(2, svg.ofClass("r f", "class").size(), "what is unknown is drawn as nothing");
    assertTrue(svg.root("aria-label").endsWith("2 GPUs; ann 1 GPU hours"), svg.root("aria-label"));
  }

  @Test
  void what_ran_where_says_if_the_server_has_left_spans_out() throws IOException {
    answers.put("/nodes", NODES);
    answers.put("/timeline", "{\"spans\": [], \"gaps\": [], \"more\": true}");
    List<String> titles = draw("timeline").texts("title");
    assertEquals("What ran where, by user, without the shortest spans", titles.get(0));
  }

  @Test
  void a_server_that_records_no_timeline_has_its_jobs() throws IOException {
    answers.put("/nodes", NODES);
    answers.put(
        "/jobs/7/tasks",
        """
        {"tasks": [{"id": "7.0", "state": "succeeded", "devices": ["GPU-b"],
          "startedAt": "2026-11-28T16:50:00Z", "endedAt": "2026-11-28T16:55:00Z"}]}""");
    answers.put("/jobs?", "{\"jobs\": [{\"id\": 7, \"name\": \"x\", \"user\": \"ann\"}]}");
    SvgDocument svg = draw("timeline", "by", "type");
    assertTrue(
        svg.texts("title").contains("task 7.0, x, of ann, 5 min, succeeded"),
        svg.texts("title")::toString);
    assertTrue(
        svg.texts("text").contains("without a type · 0.0833 GPU h"), svg.texts("text")::toString);
  }

  @Test
  void memory_is_split_by_job() throws IOException {
    answers.put(
        "/top",
        """
        {"gpus": [{"node": "gpu1", "number": "0", "uuid": "GPU-a", "memoryBytes": 1000,
          "otherBytes": 50, "holders": [{"job": 7, "usedBytes": 100, "reservedBytes": 300}]}]}""");
    assertTrue(
        draw("memory.svg")
            .root("aria-label")
            .contains("job 7 100 B used, job 7 200 B lent, not used, others 50 B of others"));
  }

  @Test
  void memory_whose_use_nobody_knows_is_neither_used_nor_unused_nor_free() throws IOException {
    answers.put(
        "/top",
        """
        {"gpus": [{"node": "gpu1", "number": "0", "uuid": "GPU-a", "memoryBytes": 1000,
          "usedBytes": 400, "otherBytes": null,
          "holders": [{"job": 7, "usedBytes": null, "reservedBytes": 300}]},
          {"node": "gpu1", "number": "1", "uuid": "GPU-b", "memoryBytes": 1000,
          "usedBytes": null, "otherBytes": null, "holders": []}]}""");
    SvgDocument svg = draw("memory.svg");
    String words = svg.root("aria-label");
    assertTrue(
        words.contains(
            "gpu1:0 1000 B, job 7 300 B of which the use is not known,"
                + " 100 B of which the use is not known, free unknown"),
        words);
    assertTrue(
        words.contains("gpu1:1 1000 B, 1000 B of which the use is not known, free unknown"), words);
    assertTrue(svg.texts("text").contains("unknown of 1000 B"), svg.texts("text")::toString);
  }

  @Test
  void what_is_wrong_is_named() {
    answers.put("/nodes", NODES);
    assertEquals(
        "there is no GPU 'gpu9:0'; there are gpu1:0, gpu1:1", refused("gpu", "name", "gpu9:0"));
    assertEquals("name is missing", refused("gpu"));
    assertEquals("since 'x' is not a time: write 15m, 6h or 14d", refused("queue", "since", "x"));
    assertEquals(
        "there is no parameter 'job'; there are from, metric, since, theme, to, width, zone",
        refused("queue", "job", "1"));
    assertEquals("width must be 280 to 4000, got 9", refused("queue", "width", "9"));
    assertEquals(
        "theme is one of auto, light, dark, page, got 'red'", refused("queue", "theme", "red"));
    assertEquals(
        "zone is a time zone such as Europe/Berlin or UTC, got 'Mars'",
        refused("queue", "zone", "Mars"));
    assertEquals("job is a number such as 12, got '../nodes'", refused("job", "job", "../nodes"));
    assertEquals(
        "from must be earlier than to, got 20 and 10", refused("queue", "from", "20", "to", "10"));
  }

  private String refused(String name, String... query) {
    return assertThrows(IllegalArgumentException.class, () -> draw(name, query)).getMessage();
  }

  @Test
  void a_drawing_that_there_is_not_is_none() throws IOException {
    assertEquals(Optional.empty(), drawings.svg("house.svg", Map.of()));
  }
}
