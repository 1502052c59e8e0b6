package io.remuda.coordinator.drawing.request;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.client.RestClient;
import io.remuda.coordinator.drawing.AttemptRow;
import io.remuda.coordinator.drawing.AttemptsDrawing;
import io.remuda.coordinator.drawing.CurvePanel;
import io.remuda.coordinator.drawing.CurvesDrawing;
import io.remuda.coordinator.drawing.GpuSpan;
import io.remuda.coordinator.drawing.MemoryDrawing;
import io.remuda.coordinator.drawing.TimelineDrawing;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The drawings that may be asked for by name: one table for the page, {@code remuda plot} and
 * reports. Thread-safe if the server's answers are.
 */
public final class DrawingRequests {

  private static final long QUARTER = 900;
  private static final int MOST_TASKS = 60;
  private static final int MOST_JOBS = 200;

  /** A drawing: the names of its parameters besides those of all, and what makes it. */
  private record Row(Set<String> parameters, Maker maker) {}

  /** Makes a drawing. */
  private interface Maker {
    String make(DrawingQuery query) throws IOException;
  }

  private final ServerAnswers server;
  private final Clock clock;
  private final Map<String, Row> table = new TreeMap<>();

  /**
   * @param clock gives the end of drawings that last until now
   */
  public DrawingRequests(ServerAnswers server, Clock clock) {
    this.server = server;
    this.clock = clock;
    table.put("gpu", new Row(Set.of("name", "metric"), this::gpu));
    table.put("node", new Row(Set.of("name", "metric"), this::node));
    table.put("queue", new Row(Set.of("metric"), this::queue));
    table.put("job", new Row(Set.of("job", "metric"), this::job));
    table.put("attempts", new Row(Set.of("job"), this::attempts));
    table.put("timeline", new Row(Set.of("by", "node"), this::timeline));
    table.put("memory", new Row(Set.of("node"), this::memory));
  }

  /**
   * Returns a drawing as SVG.
   *
   * @param name as {@code gpu} or {@code gpu.svg}
   * @param query parameters by name: of all drawings {@code since} (15m, 6h), or {@code from} and
   *     {@code to} in seconds since 1970, {@code width} in pixels, {@code theme} (auto, light,
   *     dark, page) and {@code zone} (Europe/Berlin; UTC without); and those of the drawing
   * @return empty if there is no drawing of this name
   * @throws IllegalArgumentException naming what is wrong with the query
   * @throws IOException if the server refuses or does not answer
   */
  public Optional<String> svg(String name, Map<String, String> query) throws IOException {
    Row row = table.get(name.endsWith(".svg") ? name.substring(0, name.length() - 4) : name);
    if (row == null) {
      return Optional.empty();
    }
    long now = clock.instant().getEpochSecond();
    return Optional.of(row.maker().make(DrawingQuery.of(query, row.parameters(), now)));
  }

  private JsonNode history(
      DrawingQuery query, String kind, List<String> names, long from, int points)
      throws IOException {
    StringBuilder path = new StringBuilder("/history?kind=" + kind);
    path.append("&from=").append(from).append("&to=").append(query.to());
    path.append("&points=").append(points);
    if (!names.isEmpty()) {
      path.append("&name=").append(RestClient.encode(String.join(",", names)));
    }
    if (!query.metrics().isEmpty()) {
      path.append("&metric=").append(RestClient.encode(String.join(",", query.metrics())));
    }
    return server.get(path.toString());
  }

  private String gpu(DrawingQuery query) throws IOException {
    ClusterNames names = ClusterNames.of(server);
    String uuid = names.uuid(query.value("name"));
    long from = query.from(QUARTER);
    HistoryPanels panels =
        new HistoryPanels()
            .add(
                history(query, "gpu", List.of(uuid), from, query.points()),
                (name, metric) -> MetricText.place("gpu", metric));
    String title = "GPU " + names.gpus().get(uuid);
    return new CurvesDrawing(title, from, query.to(), panels.panels("GPUs")).svg(query.options());
  }

  private String node(DrawingQuery query) throws IOException {
    ClusterNames names = ClusterNames.of(server);
    String node = names.node(query.value("name"));
    long from = query.from(QUARTER);
    HistoryPanels panels =
        new HistoryPanels()
            .add(
                history(query, "node", List.of(node), from, query.points()),
                (name, metric) -> MetricText.place("node", metric));
    Map<String, String> gpus = names.gpusOf(node);
    if (!gpus.isEmpty() && query.metrics().isEmpty()) {
      panels.add(
          history(query, "gpu", List.copyOf(gpus.keySet()), from, query.points()),
          (uuid, metric) -> ofNode(gpus.get(uuid), metric));
    }
    return new CurvesDrawing("Node " + node, from, query.to(), panels.panels("GPUs"))
        .svg(query.options());
  }

  private static MetricText.Place ofNode(String gpu, String metric) {
    return switch (metric) {
      case "utilization" -> new MetricText.Place("GPU utilization", gpu);
      case "memoryUsed" -> new MetricText.Place("GPU memory", gpu);
      case "power" -> new MetricText.Place("GPU power", gpu);
      default -> null;
    };
  }

  private String queue(DrawingQuery query) throws IOException {
    long from = query.from(QUARTER);
    HistoryPanels panels =
        new HistoryPanels()
            .add(
                history(query, "queue", List.of(), from, query.points()), DrawingRequests::ofQueue);
    return new CurvesDrawing("Queue", from, query.to(), panels.panels("users and reasons"))
        .svg(query.options());
  }

  private static MetricText.Place ofQueue(String name, String metric) {
    String what = name.substring(name.indexOf(':') + 1);
    if (name.startsWith("user:")) {
      return new MetricText.Place(metric + " by user", what);
    }
    if (name.startsWith("reason:")) {
      return metric.equals("running")
          ? null
          : new MetricText.Place("waiting by reason", what.replace('-', ' '));
    }
    return MetricText.place("queue", metric);
  }

  private String job(DrawingQuery query) throws IOException {
    String id = query.job("job");
    JsonNode job = server.get("/jobs/" + id.replaceFirst("\\..*", ""));
    long[] times = times(query, job);
    int tasks = id.contains(".") ? 1 : Math.max(1, job.path("tasks").asInt(1));
    List<CurvePanel> panels =
        new JobCurves(server, id, tasks, times[0], times[1])
            .panels(query.metrics(), query.points());
    String title = "Job " + id + ", " + job.path("name").asText();
    return new CurvesDrawing(title, times[0], times[1], panels).svg(query.options());
  }

  /** Returns from when to when a job is shown, in seconds since 1970: as asked, or all of it. */
  private static long[] times(DrawingQuery query, JsonNode job) {
    Long submitted = JobAttempts.second(job.path("submittedAt"));
    Long ended = JobAttempts.second(job.path("endedAt"));
    if (query.from() != null || submitted == null) {
      return new long[] {query.from(QUARTER), query.to()};
    }
    long last = ended == null ? query.to() : Math.min(query.to(), ended + 1);
    return new long[] {submitted, Math.max(last, submitted + 10)};
  }

  private String attempts(DrawingQuery query) throws IOException {
    String id = query.job("job").replaceFirst("\\..*", "");
    JsonNode job = server.get("/jobs/" + id);
    long[] times = times(query, job);
    JsonNode page = server.get("/jobs/" + id + "/tasks?attempts&limit=" + MOST_TASKS);
    Long submitted = JobAttempts.second(job.path("submittedAt"));
    List<AttemptRow> rows = new ArrayList<>();
    List<JsonNode> reasons = WaitReasons.of(server, Long.parseLong(id));
    if (!reasons.isEmpty()) {
      rows.add(WaitReasons.row(reasons, times[1]));
    }
    int waits = rows.size();
    for (JsonNode task : page.path("tasks")) {
      rows.add(JobAttempts.row(task, submitted == null ? times[0] : submitted, times[1]));
    }
    int more = Math.max(0, job.path("tasks").asInt() - rows.size() + waits);
    String title = "Job " + id + ", " + job.path("name").asText();
    return new AttemptsDrawing(title, times[0], times[1], rows, more).svg(query.options());
  }

  private String timeline(DrawingQuery query) throws IOException {
    TimelineGrouping by = TimelineGrouping.of(query.values().getOrDefault("by", "user"));
    ClusterNames names = ClusterNames.of(server);
    String node = query.values().get("node");
    Map<String, String> gpus = node == null ? names.gpus() : names.gpusOf(names.node(node));
    long from = query.from(QUARTER);
    Optional<ClusterSpans> known = ClusterSpans.of(server, from, query.to(), node, by);
    List<GpuSpan> spans = known.isPresent() ? known.get().spans() : ofJobs(from, by, gpus);
    boolean isShortened = known.isPresent() && known.get().isShortened();
    Set<String> rows = new LinkedHashSet<>(gpus.values());
    spans.forEach(span -> rows.add(span.gpu())); // of nodes that are not there any more
    String title =
        "What ran where, by " + by.label() + (isShortened ? ", without the shortest spans" : "");
    return new TimelineDrawing(title, from, query.to(), List.copyOf(rows), spans)
        .svg(query.options());
  }

  /** Returns what the newest attempts of jobs have held, from a server that records no more. */
  private List<GpuSpan> ofJobs(long from, TimelineGrouping by, Map<String, String> gpus)
      throws IOException {
    List<GpuSpan> spans = new ArrayList<>();
    for (JsonNode job : RecentJobs.of(server, from, MOST_JOBS).jobs()) {
      String path = "/jobs/" + job.path("id").asText() + "/tasks?limit=1000";
      for (JsonNode task : server.get(path).path("tasks")) {
        spans.addAll(TaskSpans.of(job, task, by, gpus));
      }
    }
    return spans;
  }

  private String memory(DrawingQuery query) throws IOException {
    String node = query.values().get("node");
    Map<String, MemoryDrawing.Bar> bars = new LinkedHashMap<>();
    for (JsonNode gpu : server.get("/top?jobs=0").path("gpus")) {
      if (node == null || gpu.path("node").asText().equals(node)) {
        MemoryDrawing.Bar bar = MemoryBars.bar(gpu);
        if (bar != null) {
          bars.put(gpu.path("uuid").asText(), bar);
        }
      }
    }
    return new MemoryDrawing("Memory of GPUs", List.copyOf(bars.values())).svg(query.options());
  }

  /** What ran where by what the answers about jobs and their tasks have. */
  private static final class TaskSpans {

    private TaskSpans() {}

    /**
     * Returns the times of a task's newest attempt on its GPUs.
     *
     * @param job as in a list of jobs
     * @param task as the server shows it
     * @param gpus names by UUID; a GPU that is not among them is left out
     */
    public static List<GpuSpan> of(
        JsonNode job, JsonNode task, TimelineGrouping by, Map<String, String> gpus) {
      List<GpuSpan> spans = new ArrayList<>();
      Long from = JobAttempts.second(task.path("startedAt"));
      Long to = JobAttempts.second(task.path("endedAt"));
      if (from == null) {
        return spans;
      }
      String id = job.path("id").asText();
      String type = job.path("terms").path("type").asText("");
      String key = by.key(id, job.path("user").asText(), type.equals("null") ? "" : type);
      String name = job.path("name").asText();
      String words =
          "task "
              + task.path("id").asText()
              + ", "
              + name
              + ", of "
              + job.path("user").asText()
              + (to == null ? ", runs" : ", " + SpanText.of(to - from))
              + ", "
              + task.path("state").asText();
      for (JsonNode device : task.path("devices")) {
        String gpu = gpus.get(device.asText());
        if (gpu != null) {
          spans.add(new GpuSpan(gpu, from, to, GpuSpan.Kind.USED, key, id + " " + name, words));
        }
      }
      return spans;
    }
  }
}
