package io.remuda.coordinator.cli.list;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.remuda.coordinator.api.WaitText;
import io.remuda.coordinator.cli.output.TextTable;
import io.remuda.coordinator.cli.server.ServerCommandBase;
import io.remuda.coordinator.client.RestClient;
import io.remuda.coordinator.client.RestFailureException;
import io.remuda.telemetry.render.PrintableText;
import io.remuda.worker.job.SizeAndTimeParser;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Shows what ended jobs held and used, and what was never used. */
@Command(
    name = "usage",
    description = {
      "Shows how many CPU and GPU hours jobs held and used, and what was held and never used.",
      "Counts the tries that ended on these days, in UTC."
    })
public final class UsageCommand extends ServerCommandBase {

  private static final int NOT_FOUND = 404;
  private static final Clock CLOCK = Clock.systemUTC();

  /** What sums are by. */
  enum Grouping {
    user,
    type,
    node,
    job,
    day
  }

  @Option(
      names = "--since",
      paramLabel = "WHEN",
      defaultValue = "7d",
      description = "first day: so long ago, as 7d, or a day, as 2026-11-25 (default: 7d)")
  private String since;

  @Option(
      names = "--until",
      paramLabel = "WHEN",
      description = "last day, likewise (default: today)")
  private String until;

  @Option(
      names = "--by",
      paramLabel = "WHAT",
      defaultValue = "user",
      description = "user, type, node, job or day (default: user)")
  private Grouping by;

  @Option(
      names = "--user",
      paramLabel = "NAME",
      description = "only this user's; others' are for the owner of the server")
  private String user;

  @Override
  protected int ask(RestClient server) throws IOException {
    LocalDate today = LocalDate.ofInstant(CLOCK.instant(), CLOCK.getZone());
    Map<String, String> query = new LinkedHashMap<>();
    query.put("since", day("--since", since, today).toString());
    query.put("until", (until == null ? today : day("--until", until, today)).toString());
    query.put("by", by.name());
    if (user != null) {
      query.put("user", user);
    }
    JsonNode usage = server.get("/usage?" + text(query));
    JsonNode waste = waste(server, query);
    if (json) {
      if (usage instanceof ObjectNode all) {
        all.set("waste", waste);
      }
      printJson(usage);
      return OK;
    }
    if (usage.path("sums").isEmpty()) {
      out().println("nothing has ended from " + query.get("since") + " to " + query.get("until"));
      WasteText.lines(waste, ZoneId.systemDefault()).forEach(out()::println);
      out().flush();
      return OK;
    }
    print(table(usage, by.name().toUpperCase(Locale.ROOT)));
    if (usage.path("more").asBoolean()) {
      out().println("there are more: give a later --since, or --user");
    }
    if (!quiet && !usage.path("unused").isEmpty()) {
      out().println();
      out().println("held and not used:");
      for (JsonNode one : usage.path("unused")) {
        out()
            .println(
                PrintableText.of(
                    "  "
                        + one.path("user").asText()
                        + ", "
                        + one.path("type").asText()
                        + ": "
                        + one.path("text").asText()));
      }
    }
    if (!quiet) {
      WasteText.lines(waste, ZoneId.systemDefault()).forEach(out()::println);
    }
    out().flush();
    return OK;
  }

  /** Returns what is wasted beyond that; null from an earlier server, which does not know it. */
  private static JsonNode waste(RestClient server, Map<String, String> query) throws IOException {
    try {
      return server.get("/waste?" + text(query));
    } catch (RestFailureException unknown) {
      if (unknown.status() == NOT_FOUND) {
        return NullNode.getInstance();
      }
      throw unknown;
    }
  }

  private static String text(Map<String, String> query) {
    return query.entrySet().stream()
        .map(one -> one.getKey() + "=" + URLEncoder.encode(one.getValue(), StandardCharsets.UTF_8))
        .collect(Collectors.joining("&"));
  }

  private LocalDate day(String option, String text, LocalDate today) {
    try {
      return text.matches("\\d{4}-.*")
          ? LocalDate.parse(text)
          : LocalDate.ofInstant(CLOCK.instant().minus(length(text)), CLOCK.getZone());
    } catch (DateTimeParseException | IllegalArgumentException no) {
      throw new ParameterException(
          spec.commandLine(),
          option + ": '" + text + "' is neither a time nor a day: write 7d, 12h or " + today);
    }
  }

  private static Duration length(String text) {
    return SizeAndTimeParser.time(text);
  }

  static TextTable table(JsonNode usage, String heading) {
    TextTable table =
        new TextTable(
            heading,
            "JOBS",
            "TASKS",
            "CPU-H",
            "USED",
            "GPU-H",
            "USED",
            "UNUSED GPU-H",
            "MEM USED",
            "PEAK",
            "GPU PEAK");
    usage.path("sums").forEach(sum -> row(table, sum));
    if (usage.path("sums").size() > 1) {
      row(table, usage.path("total"));
    }
    return table;
  }

  private static void row(TextTable table, JsonNode sum) {
    boolean gpus = sum.path("gpuHoursHeld").asDouble() > 0;
    table.row(
        sum.path("name").asText(),
        sum.path("jobs").asText(),
        sum.path("tasks").asText(),
        hours(sum.path("cpuHoursHeld")),
        percent(sum.path("cpuPercent")),
        gpus ? hours(sum.path("gpuHoursHeld")) : "",
        percent(sum.path("gpuPercent")),
        gpus ? hours(sum.path("gpuHoursIdle")) : "",
        percent(sum.path("memoryPercent")),
        bytes(sum.path("peakRssBytes")),
        bytes(sum.path("gpuPeakBytes")));
  }

  private static String hours(JsonNode hours) {
    return String.format(Locale.ROOT, hours.asDouble() < 10 ? "%.2f" : "%.0f", hours.asDouble());
  }

  private static String percent(JsonNode percent) {
    return percent.isNumber() ? percent.asText() + " %" : "";
  }

  private static String bytes(JsonNode bytes) {
    return bytes.isNumber() ? WaitText.bytes(bytes.asLong()) : "";
  }
}
