package io.remuda.coordinator.cli.simulate;

import io.remuda.coordinator.cli.option.PastTime;
import io.remuda.coordinator.cli.output.TextTable;
import io.remuda.coordinator.cli.server.ServerCommandBase;
import io.remuda.coordinator.client.RestClient;
import io.remuda.coordinator.client.RestFailureException;
import io.remuda.coordinator.replay.Comparison;
import io.remuda.coordinator.replay.ComparisonText;
import java.io.IOException;
import java.time.Clock;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

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
  private static final int BAD_REQUEST = 400;

  @Option(
      names = "--since",
      paramLabel = "TIME",
      defaultValue = "30d",
      description = "from so long ago on, as 12h or 7d (default: ${DEFAULT-VALUE})")
  private String since;

  @Mixin private WhatIfOptions changed;

  @Override
  protected int ask(RestClient server) throws IOException {
    long to = CLOCK.millis();
    long from = to - PastTime.since(since, MOST_DAYS, spec).toMillis();
    Comparison comparison =
        changed
            .compare(server, from, to, caller())
            .orElseThrow(
                () ->
                    new RestFailureException(
                        BAD_REQUEST,
                        "no task had a place in the last "
                            + since
                            + ": give a longer --since, or run jobs first"));
    if (json) {
      printJson(RestClient.JSON.valueToTree(comparison));
    } else {
      printTable(comparison);
    }
    return OK;
  }

  private void printTable(Comparison comparison) {
    say(ComparisonText.of(comparison));
    TextTable table = new TextTable(ComparisonText.HEADS.toArray(String[]::new));
    ComparisonText.rows(comparison).forEach(row -> table.row(row.toArray()));
    print(table);
    ComparisonText.leftOut(comparison).forEach(this::say);
    if (changed.areNone()) {
      say("To see what would have been, give --order, --policy or --add-node.");
    }
    say("");
    say("What this does not know:");
    comparison.notKnown().forEach(line -> say("  " + line));
  }
}
