package io.remuda.coordinator.cli.history;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.remuda.coordinator.cli.output.CurveText;
import io.remuda.coordinator.cli.output.TextTable;
import io.remuda.coordinator.cli.server.ServerCommandBase;
import io.remuda.coordinator.client.RestClient;
import io.remuda.coordinator.client.RestFailureException;
import io.remuda.telemetry.render.BarStyle;
import io.remuda.telemetry.render.PrintableText;
import io.remuda.worker.job.SizeAndTimeParser;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** Shows readings over time. */
@Command(
    name = "history",
    description = {
      "Shows how busy GPUs, nodes, tasks and the queue were over time: seconds of the last quarter"
          + " of an hour, points of ten seconds of a day, and of a minute of two weeks. Of tasks also"
          + " what their programs report, and small curves of those that have ended.",
      "Without a name: the queue, nodes and GPUs."
    })
public final class HistoryCommand extends ServerCommandBase {

  private static final int CURVE = 40;

  private static final String QUEUE = "queue";
  private static final String TASK = "task";
  private static final String USUAL = "15m";
  private static final int BAD_REQUEST = 400;

  @Parameters(
      arity = "0..*",
      paramLabel = "NAME",
      description = "a node, a GPU as NODE:NUMBER or UUID, a job or task as 12 or 12.0, or queue")
  private List<String> names = new ArrayList<>();

  @Option(
      names = "--since",
      paramLabel = "TIME",
      description = "so long ago, as 15m, 6h or 14d (default: 15m; of tasks from their beginning)")
  private String since;

  @Option(
      names = "--metric",
      paramLabel = "NAME",
      split = ",",
      description = "only these, such as utilization or power; several with commas")
  private List<String> metrics = new ArrayList<>();

  @Option(
      names = "--points",
      paramLabel = "N",
      description =
          "points of a curve at most, 1 to 10000 (default: 40, with --json and --csv 900)")
  private Integer points;

  @Option(names = "--csv", description = "print each point as a line of comma-separated values")
  private boolean csv;

  /** Series of a kind; names by which the server knows them, with those that a user knows. */
  private record Wanted(String kind, Map<String, String> names) {}

  @Override
  protected int ask(RestClient server) throws IOException {
    if (json && csv) {
      throw new ParameterException(spec.commandLine(), "give --json or --csv, not both");
    }
    long to = Instant.now().getEpochSecond() + 1;
    long from = to - length(since == null ? USUAL : since).toSeconds();
    List<JsonNode> answers = new ArrayList<>();
    for (Wanted wanted : wanted(server)) {
      JsonNode answer = answer(server, wanted, from, to);
      for (JsonNode series : answer.path("series")) {
        String name = series.path("name").asText();
        ((ObjectNode) series).put("title", wanted.names().getOrDefault(name, name));
      }
      answers.add(answer);
    }
    if (json) {
      printJson(answers.size() == 1 ? answers.get(0) : array(answers));
    } else if (csv) {
      out().println("time,kind,name,metric,unit,mean,min,max,p95,step");
      answers.forEach(this::printCsv);
    } else {
      printCurves(answers);
    }
    out().flush();
    boolean none = answers.stream().allMatch(answer -> answer.path("series").isEmpty());
    if (none && !json) {
      err().println("remuda: nothing is known of this time");
      return FAILURE;
    }
    return OK;
  }

  private JsonNode answer(RestClient server, Wanted wanted, long from, long to) throws IOException {
    if (wanted.kind().equals(TASK) && since == null) {
      try {
        return server.get("/history?" + query(wanted, "start", to));
      } catch (RestFailureException no) {
        if (no.status() != BAD_REQUEST || !no.getMessage().contains("from")) {
          throw no;
        }
      } // a server of an earlier build
    }
    return server.get("/history?" + query(wanted, Long.toString(from), to));
  }

  private Duration length(String text) {
    try {
      Duration length = SizeAndTimeParser.time(text);
      if (length.toSeconds() > 0) {
        return length;
      }
    } catch (IllegalArgumentException no) {
      // said below
    }
    throw new ParameterException(
        spec.commandLine(), "--since: '" + text + "' is not a time: write 15m, 6h or 14d");
  }

  private String query(Wanted wanted, String from, long to) {
    StringBuilder query =
        new StringBuilder("kind=" + wanted.kind() + "&from=" + from + "&to=" + to);
    int most = points == null ? (json || csv ? 0 : CURVE) : points;
    if (most != 0) {
      query.append("&points=").append(most);
    }
    if (!wanted.names().isEmpty()) {
      query.append("&name=").append(encoded(String.join(",", wanted.names().keySet())));
    }
    if (!metrics.isEmpty()) {
      query.append("&metric=").append(encoded(String.join(",", metrics)));
    }
    return query.toString();
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private static ArrayNode array(List<JsonNode> answers) {
    ArrayNode all = RestClient.JSON.createArrayNode();
    answers.forEach(all::add);
    return all;
  }

  private List<Wanted> wanted(RestClient server) throws IOException {
    JsonNode nodes = server.get("/nodes").path("nodes");
    Map<String, String> gpus = new HashMap<>();
    for (JsonNode node : nodes) {
      for (JsonNode device : node.path("devices")) {
        String number = device.path("number").asText("?");
        gpus.put(device.path("uuid").asText(), node.path("name").asText() + ":" + number);
      }
    }
    if (names.isEmpty()) {
      return List.of(
          new Wanted(QUEUE, Map.of("all", "queue")),
          new Wanted("node", Map.of()),
          new Wanted("gpu", gpus));
    }
    List<Wanted> all = new ArrayList<>();
    for (String name : names) {
      all.addAll(wanted(name, nodes, gpus));
    }
    return all;
  }

  private List<Wanted> wanted(String name, JsonNode nodes, Map<String, String> gpus) {
    if (name.equals(QUEUE)) {
      return List.of(new Wanted(QUEUE, Map.of()));
    }
    if (name.matches("[1-9]\\d*(\\.\\d+){0,2}")) {
      return List.of(new Wanted(TASK, Map.of(name, name)));
    }
    Map<String, String> found = new HashMap<>(gpus);
    found.entrySet().removeIf(gpu -> !gpu.getKey().equals(name) && !gpu.getValue().equals(name));
    if (!found.isEmpty()) {
      return List.of(new Wanted("gpu", found));
    }
    for (JsonNode node : nodes) {
      if (node.path("name").asText().equals(name)) {
        Map<String, String> own = new HashMap<>(gpus);
        own.values().removeIf(gpu -> !gpu.startsWith(name + ":"));
        Wanted machine = new Wanted("node", Map.of(name, name));
        return own.isEmpty() || !metrics.isEmpty()
            ? List.of(machine)
            : List.of(machine, new Wanted("gpu", own));
      }
    }
    throw new ParameterException(
        spec.commandLine(),
        "there is no node or GPU '"
            + name
            + "'; there are "
            + gpus.values().stream().sorted().limit(20).collect(Collectors.joining(", "))
            + (gpus.isEmpty() ? "the nodes of remuda nodes" : ""));
  }

  private void printCurves(List<JsonNode> answers) {
    BarStyle style = BarStyle.of(caller().environment());
    TextTable table = new TextTable("WHAT", "METRIC", "CURVE", "MIN", "MEAN", "MAX");
    for (JsonNode answer : answers) {
      for (JsonNode series : answer.path("series")) {
        for (JsonNode curve : series.path("curves")) {
          row(table, series.path("title").asText(), curve, style);
        }
      }
    }
    List<JsonNode> series = new ArrayList<>();
    answers.forEach(answer -> answer.path("series").forEach(series::add));
    TextTable reported = ReportedTable.of(series, CURVE, style);
    if (table.rows() > 0 || reported.rows() == 0) {
      print(table);
    }
    if (reported.rows() > 0) {
      if (table.rows() > 0) {
        out().println();
      }
      print(reported);
    }
    ReportedTable.notes(series).forEach(note -> err().println("remuda: " + PrintableText.of(note)));
    err().flush();
  }

  private static void row(TextTable table, String title, JsonNode curve, BarStyle style) {
    JsonNode mean = curve.path("mean");
    double low = extreme(curve.path(curve.has("min") ? "min" : "mean"), false);
    double high = extreme(curve.path(curve.has("max") ? "max" : "mean"), true);
    if (Double.isNaN(high)) {
      return; // nothing was measured
    }
    String unit = curve.path("unit").asText();
    table.row(
        title,
        curve.path("metric").asText(),
        CurveText.line(mean, unit.equals("ratio") ? Math.max(1, high) : high, CURVE, style),
        CurveText.value(low, unit),
        CurveText.value(average(mean), unit),
        CurveText.value(high, unit));
  }

  private static double extreme(JsonNode values, boolean greatest) {
    double found = Double.NaN;
    for (JsonNode value : values) {
      if (value.isNumber()) {
        double one = value.asDouble();
        boolean first = Double.isNaN(found);
        found = first ? one : greatest ? Math.max(found, one) : Math.min(found, one);
      }
    }
    return found;
  }

  private static double average(JsonNode values) {
    double sum = 0;
    int count = 0;
    for (JsonNode value : values) {
      if (value.isNumber()) {
        sum += value.asDouble();
        count++;
      }
    }
    return count == 0 ? Double.NaN : sum / count;
  }

  private void printCsv(JsonNode answer) {
    long from = answer.path("from").asLong();
    long step = answer.path("step").asLong();
    for (JsonNode series : answer.path("series")) {
      for (JsonNode curve : series.path("curves")) {
        for (int point = 0; point < curve.path("mean").size(); point++) {
          if (curve.path("mean").get(point).isNumber()) {
            printCsv(Instant.ofEpochSecond(from + point * step), series, curve, point, "");
          }
        }
      }
      for (JsonNode curve : series.path("reported")) {
        for (int point = 0; point < curve.path("mean").size(); point++) {
          long millis = Math.round(curve.path("time").get(point).asDouble() * 1000);
          String count = curve.path("step").path(point).asText("");
          printCsv(Instant.ofEpochMilli(millis), series, curve, point, count);
        }
      }
    }
  }

  private void printCsv(Instant time, JsonNode series, JsonNode curve, int point, String count) {
    StringBuilder line = new StringBuilder(time.toString());
    for (String text :
        List.of(
            series.path("kind").asText(),
            series.path("title").asText(),
            curve.path("metric").asText(),
            curve.path("unit").asText())) {
      line.append(',').append(quoted(text));
    }
    for (String column : List.of("mean", "min", "max", "p95")) {
      JsonNode value =
          curve.has(column) ? curve.path(column).get(point) : curve.path("mean").get(point);
      line.append(',').append(value.isNull() ? "" : value.asText());
    }
    out().println(line.append(',').append(count.equals("null") ? "" : count));
  }

  private static String quoted(String text) {
    return text.matches("[^\",\\r\\n]*") ? text : '"' + text.replace("\"", "\"\"") + '"';
  }
}
