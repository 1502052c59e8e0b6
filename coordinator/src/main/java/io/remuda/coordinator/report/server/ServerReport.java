package io.remuda.coordinator.report.server;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.client.RestClient;
import io.remuda.coordinator.client.RestFailureException;
import io.remuda.coordinator.client.ShellQuoting;
import io.remuda.coordinator.drawing.UnitText;
import io.remuda.coordinator.drawing.request.ClusterNames;
import io.remuda.coordinator.drawing.request.DrawingRequests;
import io.remuda.coordinator.drawing.request.JobAttempts;
import io.remuda.coordinator.drawing.request.RecentJobs;
import io.remuda.coordinator.drawing.request.ServerAnswers;
import io.remuda.coordinator.drawing.request.SpanText;
import io.remuda.coordinator.drawing.request.WaitReasons;
import io.remuda.coordinator.replay.Comparison;
import io.remuda.coordinator.replay.ComparisonText;
import io.remuda.coordinator.report.ReportBlock;
import io.remuda.coordinator.report.ReportBlock.Tile;
import io.remuda.coordinator.report.ReportPage;
import io.remuda.coordinator.report.ReportSection;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Makes reports of jobs, or of all that a server did in a time. */
public final class ServerReport {

  private static final String WOULD_HAVE_BEEN = "What would have been";
  private static final int MOST_JOBS = 300;
  private static final int MOST_FAILURES = TaskSums.MOST_KEPT;
  private static final int NOT_FOUND = 404;
  private static final int MOST_ROWS = 50;
  private static final int MOST_NODES = 16;
  private static final int MOST_WAITS = 20;

  private final ServerAnswers server;
  private final FailureBlocks failures;
  private final ReportDrawings drawings;
  private final JobTables tables;
  private final long now;
  private boolean hasHistory = true;

  /**
   * @param clock says until when reports are
   * @param zone of the times in them
   */
  public ServerReport(ServerAnswers server, OutputTails tails, Clock clock, ZoneId zone) {
    this.server = server;
    this.failures = new FailureBlocks(tails);
    this.drawings = new ReportDrawings(new DrawingRequests(server, clock), zone);
    this.now = clock.instant().getEpochSecond();
    this.tables = new JobTables(now, zone);
  }

  /** Returns a report of these jobs. */
  public ReportPage ofJobs(List<Long> numbers) throws IOException {
    hasHistory = hasHistory(server, now);
    List<ReportedJob> jobs = new ArrayList<>();
    for (long number : numbers) {
      jobs.add(withTasks(server.get("/jobs/" + number)));
    }
    List<ReportSection> sections = new ArrayList<>();
    if (jobs.size() > 1) {
      sections.add(new ReportSection("Jobs", List.of(summary(jobs), tables.list(jobs))));
    }
    for (ReportedJob job : jobs) {
      sections.add(section(job));
    }
    String title = jobs.size() == 1 ? jobs.get(0).title() : jobs.size() + " jobs";
    return new ReportPage(title, lead(jobs), sections);
  }

  private ReportSection section(ReportedJob job) throws IOException {
    List<ReportBlock> blocks = new ArrayList<>();
    blocks.add(summary(List.of(job)));
    String command = command(job.job());
    if (!command.isEmpty()) {
      blocks.add(new ReportBlock.Output("Command", command));
    }
    blocks.add(drawings.of("attempts", "Attempts with their nodes and ends", "job", job.id()));
    blocks.add(new ReportBlock.Words("Waited " + SpanText.of(job.waited(now)) + reason(job)));
    List<JsonNode> reasons = WaitReasons.of(server, job.id());
    if (!reasons.isEmpty()) {
      blocks.add(tables.reasons(reasons));
    }
    Long from = JobAttempts.second(job.job().path("startedAt"));
    if (from != null && hasHistory) {
      Long end = JobAttempts.second(job.job().path("endedAt"));
      long to = Math.max(from + 5, end == null ? now : end + 1);
      blocks.add(
          drawings.of(
              "job",
              "Use over time; the band is from least to most",
              "job",
              job.id(),
              "from",
              from,
              "to",
              to));
      blocks.addAll(energy(job, from, to));
    }
    blocks.add(tables.used(List.of(job), 1));
    blocks.addAll(failures.of(List.of(job), MOST_FAILURES));
    return new ReportSection(job.title(), blocks);
  }

  private static String reason(ReportedJob job) {
    String reason = JobTables.text(job.job().path("reason"));
    return job.job().path("startedAt").isTextual() || reason.isEmpty() ? "" : ": " + reason;
  }

  /** Returns the energy of a job's GPUs while it ran; nothing if it had none. */
  private List<ReportBlock> energy(ReportedJob job, long from, long to) throws IOException {
    List<String> uuids = job.sums().devices();
    if (uuids.isEmpty()) {
      return List.of();
    }
    GpuFigures gpus = GpuFigures.of(history(uuids, from, to), ClusterNames.of(server).gpus());
    return List.of(
        new ReportBlock.Words(
            "Its GPUs while it ran, all that was on them together: " + energy(gpus)),
        gpus.table());
  }

  private static String energy(GpuFigures gpus) {
    return Double.isNaN(gpus.kilowattHours())
        ? "energy unknown"
        : UnitText.of(gpus.kilowattHours(), "kWh");
  }

  private JsonNode history(List<String> uuids, long from, long to) throws IOException {
    String name = uuids.isEmpty() ? "" : "&name=" + RestClient.encode(String.join(",", uuids));
    return server.get(
        "/history?kind=gpu&metric=utilization,memoryUsed,power&points=1000&from="
            + from
            + "&to="
            + to
            + name);
  }

  /** Returns the command as a shell takes it. */
  private static String command(JsonNode job) {
    List<String> words = new ArrayList<>();
    job.path("workload")
        .path("argv")
        .forEach(word -> words.add(ShellQuoting.quoted(word.asText())));
    return String.join(" ", words);
  }

  private ReportedJob withTasks(JsonNode job) throws IOException {
    return new ReportedJob(job, TaskSums.read(server, job.path("id").asLong(), now));
  }

  /** Returns when and of what it is, and what is missing in it. */
  private List<String> lead(List<ReportedJob> jobs) {
    List<String> lead = new ArrayList<>(List.of("made " + tables.time(now) + ", " + version()));
    if (!hasHistory) {
      lead.add(
          "The server keeps no history of readings (remuda.coordinator.history.size), so use over"
              + " time and energy are not in this report.");
    }
    for (ReportedJob job : jobs) {
      if (!job.sums().isWhole()) {
        lead.add(
            "Hours, use and failures of job "
                + job.id()
                + " are those of the first "
                + job.sums().tasks()
                + " of its "
                + job.job().path("tasks").asText()
                + " tasks.");
      }
    }
    return lead;
  }

  /** Returns whether the server has readings; one without says that there is no such thing. */
  private static boolean hasHistory(ServerAnswers server, long now) throws IOException {
    try {
      server.get("/history?kind=queue&points=1&from=" + (now - 1) + "&to=" + now);
      return true;
    } catch (RestFailureException no) {
      if (no.status() != NOT_FOUND) {
        throw no;
      }
      return false;
    }
  }

  private String version() {
    try {
      return "remuda " + server.get("/version").path("version").asText();
    } catch (IOException no) {
      return "remuda";
    }
  }

  private ReportBlock summary(List<ReportedJob> jobs) {
    Map<String, Integer> states = new TreeMap<>();
    jobs.forEach(job -> states.merge(job.job().path("state").asText(), 1, Integer::sum));
    List<String> words = new ArrayList<>();
    states.forEach((state, count) -> words.add(count + " " + state));
    long tasks = jobs.stream().mapToLong(job -> job.job().path("tasks").asLong()).sum();
    long failed = jobs.stream().mapToLong(job -> job.sums().failed()).sum();
    List<Long> waits = jobs.stream().map(job -> job.waited(now)).sorted().toList();
    double hours = jobs.stream().mapToDouble(job -> job.sums().hours()).sum();
    double gpuHours = jobs.stream().mapToDouble(job -> job.sums().gpuHours()).sum();
    String wait = waits.isEmpty() ? "none" : SpanText.of(waits.get(waits.size() / 2));
    String longest = waits.isEmpty() ? "" : "longest " + SpanText.of(waits.get(waits.size() - 1));
    boolean one = jobs.size() == 1;
    return new ReportBlock.Tiles(
        List.of(
            one
                ? new Tile("State", jobs.get(0).job().path("state").asText(), user(jobs.get(0)))
                : new Tile("Jobs", Integer.toString(jobs.size()), String.join(", ", words)),
            new Tile("Tasks", Long.toString(tasks), failed == 0 ? "" : failed + " failed"),
            new Tile(one ? "Waited" : "Waited, median", wait, one ? "" : longest),
            new Tile("Ran", JobTables.hours(hours) + " h", "all tasks together"),
            new Tile("GPU hours held", gpuHours == 0 ? "none" : JobTables.hours(gpuHours), "")));
  }

  private static String user(ReportedJob job) {
    return "of " + job.job().path("user").asText();
  }

  /** Returns a report of all that was since a time, in seconds since 1970. */
  public ReportPage since(long from) throws IOException {
    return since(from, List.of());
  }

  /**
   * Returns a report of all that was since a time, and of what would have been.
   *
   * @param from in seconds since 1970
   * @param compared empty if no task had a place in that time
   */
  public ReportPage since(long from, Optional<Comparison> compared) throws IOException {
    return since(
        from,
        List.of(
            compared
                .map(ServerReport::wouldHaveBeen)
                .orElseGet(
                    () ->
                        new ReportSection(
                            WOULD_HAVE_BEEN,
                            List.of(
                                new ReportBlock.Words(
                                    "No task had a place in this time, so there is nothing to"
                                        + " compare."))))));
  }

  private ReportPage since(long from, List<ReportSection> more) throws IOException {
    hasHistory = hasHistory(server, now);
    RecentJobs recent = RecentJobs.of(server, from, MOST_JOBS);
    List<ReportedJob> jobs = new ArrayList<>();
    for (JsonNode job : recent.jobs()) {
      jobs.add(withTasks(job));
    }
    Map<String, String> names = ClusterNames.of(server).gpus();
    GpuFigures gpus =
        hasHistory
            ? GpuFigures.of(history(List.of(), from, now), names)
            : new GpuFigures(List.of(), Double.NaN);
    List<ReportSection> sections = new ArrayList<>();
    List<ReportBlock> first = new ArrayList<>(List.of(summary(jobs)));
    if (recent.more()) {
      first.add(
          new ReportBlock.Words("These are the newest " + jobs.size() + " jobs of this time."));
    }
    if (!gpus.rows().isEmpty()) {
      first.add(
          new ReportBlock.Words(
              "Energy of the GPUs from " + tables.time(from) + " on: " + energy(gpus) + "."));
    }
    sections.add(new ReportSection("Summary", first));
    if (!gpus.rows().isEmpty() || !names.isEmpty()) {
      sections.add(
          new ReportSection(
              "What ran where",
              List.of(drawings.of("timeline", "", "from", from, "to", now, "by", "user"))));
    }
    List<ReportBlock> waiting = new ArrayList<>();
    if (hasHistory) {
      waiting.add(drawings.of("queue", "Tasks that wait and run", "from", from, "to", now));
    }
    waiting.add(tables.waiting(jobs, MOST_WAITS));
    sections.add(new ReportSection("Waiting", waiting));
    sections.add(new ReportSection("Asked for and used", List.of(tables.used(jobs, MOST_ROWS))));
    List<ReportBlock> wasted =
        new WasteBlocks(server, tables)
            .since(Instant.ofEpochSecond(from).atZone(ZoneOffset.UTC).toLocalDate());
    if (!wasted.isEmpty()) {
      sections.add(new ReportSection("Waste", wasted));
    }
    if (!gpus.rows().isEmpty()) {
      sections.add(new ReportSection("GPUs", List.of(gpus.table())));
    }
    List<ReportBlock> failed = failures.of(jobs, MOST_FAILURES);
    if (!failed.isEmpty()) {
      sections.add(new ReportSection("Failures", failed));
    }
    sections.addAll(more);
    sections.add(new ReportSection("Jobs", List.of(tables.list(jobs))));
    if (hasHistory) {
      sections.addAll(nodes(from));
    }
    return new ReportPage(
        "Report of " + tables.time(from) + " to " + tables.time(now), lead(jobs), sections);
  }

  private static ReportSection wouldHaveBeen(Comparison compared) {
    List<String> heads = new ArrayList<>();
    for (String head : ComparisonText.HEADS) {
      String words = head.charAt(0) + head.substring(1).toLowerCase(Locale.ROOT);
      heads.add(heads.isEmpty() ? words : ">" + words.replace("Gpus", "GPUs"));
    }
    List<ReportBlock> blocks = new ArrayList<>();
    blocks.add(
        new ReportBlock.Words(
            "The past of "
                + ComparisonText.of(compared)
                + ", replayed. Compare what would have been with the second row."));
    blocks.add(new ReportBlock.Table(heads, ComparisonText.rows(compared)));
    ComparisonText.leftOut(compared).forEach(line -> blocks.add(new ReportBlock.Words(line)));
    blocks.add(
        new ReportBlock.Words("What this does not know: " + String.join(" ", compared.notKnown())));
    return new ReportSection(WOULD_HAVE_BEEN, blocks);
  }

  private List<ReportSection> nodes(long from) throws IOException {
    List<ReportSection> sections = new ArrayList<>();
    for (JsonNode node : server.get("/nodes").path("nodes")) {
      if (sections.size() < MOST_NODES) {
        String name = node.path("name").asText();
        sections.add(
            new ReportSection(
                "Node " + name,
                List.of(drawings.of("node", "", "name", name, "from", from, "to", now))));
      }
    }
    return sections;
  }

  /** The drawings of a report, each for large and for small screens. */
  private static final class ReportDrawings {

    private final DrawingRequests drawings;
    private final ZoneId zone;

    ReportDrawings(DrawingRequests drawings, ZoneId zone) {
      this.drawings = drawings;
      this.zone = zone;
    }

    /**
     * Returns a drawing.
     *
     * @param query parameters as name and value in turn
     */
    ReportBlock of(String name, String caption, Object... query) throws IOException {
      return new ReportBlock.Drawing(
          caption,
          svg(name, ReportBlock.Drawing.WIDE, query),
          svg(name, ReportBlock.Drawing.NARROW, query));
    }

    private String svg(String name, int width, Object... query) throws IOException {
      Map<String, String> asked = new HashMap<>();
      for (int at = 0; at < query.length; at += 2) {
        asked.put(query[at].toString(), query[at + 1].toString());
      }
      asked.put("theme", "page");
      asked.put("zone", zone.getId());
      asked.put("width", Integer.toString(width));
      return drawings.svg(name, asked).orElseThrow();
    }
  }
}
