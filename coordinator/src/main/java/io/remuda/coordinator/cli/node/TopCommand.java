package io.remuda.coordinator.cli.node;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.cli.server.ServerCommandBase;
import io.remuda.coordinator.cli.top.CurveFeed;
import io.remuda.coordinator.cli.top.TopFeed;
import io.remuda.coordinator.cli.top.TopScreen;
import io.remuda.coordinator.cli.top.TopScreenData;
import io.remuda.coordinator.cli.top.TopText;
import io.remuda.coordinator.client.RestClient;
import io.remuda.coordinator.console.TerminalStream;
import io.remuda.telemetry.render.BarStyle;
import java.io.IOException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Map;
import java.util.OptionalInt;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Shows GPUs and jobs as they change. */
@Command(
    name = "top",
    description = {
      "Shows every GPU with the jobs that have its memory, and the jobs that have not ended.",
      "On a terminal the screen is updated every second until q is pressed; otherwise, and with"
          + " --once, everything is printed once.",
      "In a bar, a letter is memory that the job with this letter uses, the letter in lower case"
          + " memory that is reserved for the job and not used, # memory of processes that belong"
          + " to no job there, ? memory whose processes are not known, and a dot free memory.",
      "Where a screen has 120 columns, curves show the last 15 minutes: how busy each GPU was, and"
          + " of each job its GPUs or, without any, its CPUs against the most that it used.",
      "Keys: h shows all of them; q quits; arrows, PgUp, PgDn, Home and End scroll the GPUs or"
          + " choose a job; Tab switches between GPUs and jobs; l or Enter shows why the chosen job"
          + " waits and the end of what it has printed; k cancels it, after a question; u and /"
          + " show only the jobs of a user or with a text; p pauses."
    },
    exitCodeList = {
      "0:success",
      "1:failure, or refused by the server",
      "2:bad usage",
      "3:no server answers",
      "130:Ctrl-C"
    })
public final class TopCommand extends ServerCommandBase {

  private static final int PRINTED_JOBS = 1000;
  private static final int WATCHED_JOBS = 200;

  /** As many as the server tells at once, for a filter. */
  private static final int ALL_JOBS = 10_000;

  private static final double LEAST_SECONDS = 0.1;
  private static final double MOST_SECONDS = 86_400;

  @Option(names = "--once", description = "print everything once")
  private boolean once;

  @Option(
      names = {"-d", "--delay"},
      paramLabel = "SECONDS",
      description = "time between two updates (default: 1)")
  private double delay = 1;

  @Override
  protected int ask(RestClient server) throws IOException, InterruptedException {
    if (!(delay >= LEAST_SECONDS && delay <= MOST_SECONDS)) {
      throw new ParameterException(
          spec.commandLine(), "--delay must be 0.1 to 86400 seconds, got " + delay);
    }
    JsonNode view = look(server, PRINTED_JOBS);
    if (json) {
      printJson(view);
      return OK;
    }
    TopScreenData picture = TopScreenData.of(view);
    if (!TerminalStream.mayBe(caller(), TerminalStream.OUT)) {
      return print(picture, OptionalInt.empty());
    }
    TerminalStream out = TerminalStream.of(caller(), TerminalStream.OUT);
    Map<String, String> environment = caller().readEnvironment();
    if (!once
        && !quiet
        && out.moves(environment)
        && TerminalStream.of(caller(), TerminalStream.IN).isTerminal()) {
      return watch(picture, BarStyle.of(environment));
    }
    return print(
        picture, out.isTerminal() ? OptionalInt.of(out.size().columns()) : OptionalInt.empty());
  }

  private static JsonNode look(RestClient server, int jobs) throws IOException {
    return server.get("/top?jobs=" + jobs);
  }

  private int print(TopScreenData picture, OptionalInt width) {
    TopText.of(picture, width, ZoneId.systemDefault(), !quiet).forEach(out()::println);
    out().flush();
    return OK;
  }

  /** Reads the access file for each update: a restarted server may have another address. */
  private int watch(TopScreenData first, BarStyle style) throws IOException {
    try (TopFeed feed =
            new TopFeed(
                first,
                all -> TopScreenData.of(look(server(), all ? ALL_JOBS : WATCHED_JOBS)),
                Duration.ofMillis(Math.round(delay * 1000)));
        CurveFeed curves = new CurveFeed(query -> server().get("/history?" + query), style);
        TopScreen screen =
            TopScreen.open(caller(), style.colour(), new TopJobActions(this::server))) {
      return screen.show(feed, curves);
    }
  }
}
