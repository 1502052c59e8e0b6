package io.remuda.coordinator.cli.simulate;

import io.remuda.coordinator.cli.option.PastTime;
import io.remuda.coordinator.cli.output.TextTable;
import io.remuda.coordinator.cli.server.ServerCommandBase;
import io.remuda.coordinator.client.RestClient;
import io.remuda.coordinator.client.RestFailureException;
import io.remuda.coordinator.drawing.request.SpanText;
import io.remuda.coordinator.replay.AddedNode;
import io.remuda.coordinator.replay.Comparison;
import io.remuda.coordinator.replay.Past;
import io.remuda.coordinator.replay.PastReader;
import io.remuda.coordinator.replay.WhatIf;
import io.remuda.coordinator.schedule.order.OrderPolicies;
import io.remuda.worker.job.PlacementPolicy;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Prints how long tasks of a cluster waited, and would have waited if something were other. */
@Command(
    name = "history",
    description = {
      "Replays what this cluster did by the scheduler that runs it, in moved time: how long tasks"
          + " waited, how much of the GPUs they had and how alike users fared, as it was, simulated as"
          + " everything is now, and under another order, another policy or with more nodes.",
      "The first two rows say how far the simulation is from what was; compare the others with the"
          + " second."
    })
final class SimulateHistoryCommand extends ServerCommandBase {

  private static final Clock CLOCK = Clock.systemUTC();
  private static final int MOST_DAYS = 366;
  private static final int MOST_CASES = 50;
  private static final int BAD_REQUEST = 400;

  /** Characters of an instant up to its minutes. */
  private static final int MINUTES = 16;

  @Option(
      names = "--since",
      paramLabel = "TIME",
      defaultValue = "30d",
      description = "from so long ago on, as 12h or 7d (default: ${DEFAULT-VALUE})")
  private String since;

  @Option(
      names = "--order",
      paramLabel = "ORDER",
      split = ",",
      description =
          "whose turn it is: fifo, backfill, fair, levels, shortest, learned or expected; a row for"
              + " each")
  private List<String> orders = new ArrayList<>();

  @Option(
      names = "--policy",
      paramLabel = "POLICY",
      split = ",",
      description = "which node gets a task, as of remuda submit, for all jobs; a row for each")
  private List<String> policies = new ArrayList<>();

  @Option(
      names = "--add-node",
      paramLabel = "MODEL:COUNT",
      description =
          "a further node with so many GPUs, as h100:8, and the cores and memory for each that the"
              + " present nodes have (repeatable)")
  private List<String> added = new ArrayList<>();

  @Override
  protected int ask(RestClient server) throws IOException {
    long to = CLOCK.millis();
    long from = to - PastTime.since(since, MOST_DAYS, spec).toMillis();
    List<WhatIf> changes = changes();
    try (SimulationProgress progress = SimulationProgress.of(caller())) {
      Past past =
          new PastReader(server::get, from, to)
              .read((done, all) -> progress.at("reading jobs", done, all));
      if (past.tasks() == 0) {
        throw new RestFailureException(
            BAD_REQUEST,
            "no task had a place in the last "
                + since
                + ": give a longer --since, or run jobs first");
      }
      Comparison comparison =
          Comparison.of(past, changes, (name, ended) -> progress.at(name, ended, past.tasks()));
      if (json) {
        printJson(RestClient.JSON.valueToTree(comparison));
      } else {
        printTable(comparison, changes.isEmpty());
      }
    }
    return OK;
  }

  /** Returns the changes: each order with each policy, with the further nodes. */
  private List<WhatIf> changes() {
    try {
      List<AddedNode> nodes = added.stream().map(AddedNode::parse).toList();
      List<OrderPolicies> asked = orders.stream().map(OrderPolicies::parse).toList();
      List<PlacementPolicy> placed = policies.stream().map(PlacementPolicy::parse).toList();
      List<WhatIf> changes = new ArrayList<>();
      for (OrderPolicies order : orAsIs(asked)) {
        for (PlacementPolicy policy : orAsIs(placed)) {
          changes.add(new WhatIf(order, policy, nodes));
        }
      }
      changes.remove(WhatIf.NOTHING);
      if (changes.size() > MOST_CASES) {
        throw new IllegalArgumentException(
            "at most " + MOST_CASES + " rows, got " + changes.size() + ": give fewer orders");
      }
      return changes;
    } catch (IllegalArgumentException wrong) {
      throw new ParameterException(spec.commandLine(), wrong.getMessage(), wrong);
    }
  }

  private static <T> List<T> orAsIs(List<T> given) {
    return given.isEmpty() ? Collections.singletonList(null) : given;
  }

  private void printTable(Comparison comparison, boolean nothingAsked) {
    say(
        count(comparison.jobs(), "job")
            + ", "
            + count(comparison.tasks(), "task")
            + " of "
            + count(comparison.users(), "user")
            + " from "
            + comparison.from().substring(0, MINUTES).replace('T', ' ')
            + " to "
            + comparison.to().substring(0, MINUTES).replace('T', ' ')
            + " UTC, on "
            + count(comparison.nodes(), "node")
            + " with "
            + count(comparison.gpus(), "GPU"));
    TextTable table =
        new TextTable(
            "CASE", "MEAN WAIT", "P50", "P90", "MAX", "GPUS HELD", "PREEMPTED", "FAIRNESS");
    for (Comparison.Case one : comparison.cases()) {
      table.row(
          one.name(),
          span(one.meanWait()),
          span(one.p50Wait()),
          span(one.p90Wait()),
          span(one.maxWait()),
          one.gpuPercent() == null ? "-" : String.format(Locale.ROOT, "%.1f %%", one.gpuPercent()),
          one.preemptions(),
          String.format(Locale.ROOT, "%.3f", one.fairness()));
    }
    print(table);
    for (Comparison.Case one : comparison.cases()) {
      if (one.leftOut() != null) {
        say(one.name() + ": " + count(one.leftOut(), "task") + " left out that fit nowhere");
      }
    }
    if (nothingAsked) {
      say("To see what would have been, give --order, --policy or --add-node.");
    }
    say("");
    say("What this does not know:");
    comparison.notKnown().forEach(line -> say("  " + line));
  }

  private static String count(int count, String what) {
    return String.format(Locale.ROOT, "%,d %s%s", count, what, count == 1 ? "" : "s");
  }

  private static String span(double seconds) {
    return seconds < 10
        ? String.format(Locale.ROOT, "%.1f s", seconds)
        : SpanText.of(Math.round(seconds));
  }
}
