package io.remuda.coordinator.cli.simulate;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.remuda.agent.commandline.Caller;
import io.remuda.coordinator.cli.output.TextTable;
import io.remuda.coordinator.schedule.order.OrderPolicies;
import io.remuda.coordinator.simulate.BadTableException;
import io.remuda.coordinator.simulate.KnownDurations;
import io.remuda.coordinator.simulate.PreemptionCost;
import io.remuda.coordinator.simulate.ScheduleEvent;
import io.remuda.coordinator.simulate.ScheduleRun;
import io.remuda.coordinator.simulate.ScheduleSimulation;
import io.remuda.coordinator.simulate.ScheduleSummary;
import io.remuda.coordinator.simulate.ShownStartsSummary;
import io.remuda.json.PlainJson;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.LongConsumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Prints when and where jobs run, or how order policies compare. */
@Command(
    name = "schedule",
    description = {
      "Runs the jobs of a file on the nodes of a file in moved time. Jobs come one by one, have"
          + " whole GPUs on as few nodes as possible, and may be preempted by policies that do so;"
          + " the policy knows of a job what has happened so far.",
      "Prints a line time_s,job,event,nodes,gpus for each start, preempt and finish, nodes as"
          + " n003:8;n005:4; with --compare a table of policies. Files may be compressed (.gz)."
    },
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:printed", "2:bad usage, or a file that cannot be read"},
    sortOptions = false)
final class SimulateScheduleCommand implements Callable<Integer> {

  private static final double MILLIS = 1000;
  private static final double MOST_SECONDS = 1e6;

  @Option(
      names = "--cluster",
      paramLabel = "FILE",
      required = true,
      description = "a table node,gpus")
  private Path cluster;

  @Option(
      names = "--trace",
      paramLabel = "FILE",
      required = true,
      description =
          "a table id,arrival_s,duration_s,gpus,user in the order of arrival; duration_s is what"
              + " the job takes alone")
  private Path trace;

  @Option(
      names = "--policy",
      paramLabel = "POLICY",
      description =
          "whose turn it is: fifo, backfill, fair, levels, shortest, learned or expected (default:"
              + " expected)")
  private String policy;

  @Option(
      names = "--compare",
      paramLabel = "POLICY",
      split = ",",
      description = "several policies: how long jobs take and wait with each")
  private List<String> compared;

  @Option(
      names = "--durations",
      paramLabel = "known|unknown",
      defaultValue = "unknown",
      description =
          "whether the policy may know how long a job takes, as from its limit or its epochs"
              + " (default: ${DEFAULT-VALUE})")
  private String durations;

  @Option(
      names = "--restore",
      paramLabel = "SECONDS",
      defaultValue = "30",
      description = "what a start after a preemption costs (default: ${DEFAULT-VALUE})")
  private double restore;

  @Option(
      names = "--save",
      paramLabel = "SECONDS",
      defaultValue = "10",
      description = "what a preemption costs before it (default: ${DEFAULT-VALUE})")
  private double save;

  @Option(
      names = "--starts",
      description =
          "with --compare: also how right it is when jobs are shown to start, by what jobs of a user"
              + " with as many GPUs took; this takes longer")
  private boolean starts;

  @Option(names = "--json", description = "with --compare: print one JSON array")
  private boolean json;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    if (policy != null && compared != null) {
      throw new ParameterException(spec.commandLine(), "give --policy or --compare, not both");
    }
    if (json && compared == null) {
      throw new ParameterException(spec.commandLine(), "--json is for --compare; give both");
    }
    if (starts && compared == null) {
      throw new ParameterException(spec.commandLine(), "--starts is for --compare; give both");
    }
    try {
      String option = compared == null ? "--policy" : "--compare";
      List<OrderPolicies> policies =
          (compared == null ? List.of(policy == null ? "expected" : policy) : compared)
              .stream().map(name -> OrderPolicies.parse(name, option)).toList();
      KnownDurations known = durations();
      PreemptionCost overheads =
          new PreemptionCost(millis("--save", save), millis("--restore", restore));
      ScheduleSimulation simulation =
          ScheduleSimulation.read(cluster, trace, Caller.of(spec)::resolve);
      if (compared == null) {
        print(run(simulation, policies.get(0), known, overheads));
      } else if (json) {
        printJson(simulation, policies, known, overheads);
      } else {
        printTable(simulation, policies, known, overheads);
      }
      return 0;
    } catch (BadTableException | IllegalArgumentException refused) {
      throw new ParameterException(spec.commandLine(), refused.getMessage(), refused);
    }
  }

  private KnownDurations durations() {
    return switch (durations) {
      case "known" -> KnownDurations.KNOWN;
      case "unknown" -> KnownDurations.UNKNOWN;
      default ->
          throw new IllegalArgumentException(
              "--durations must be known or unknown, got '" + durations + "'");
    };
  }

  private static long millis(String option, double seconds) {
    if (!(seconds >= 0 && seconds <= MOST_SECONDS)) {
      throw new IllegalArgumentException(
          option + " must be from 0 to 1000000 seconds, got " + seconds);
    }
    return Math.round(seconds * MILLIS);
  }

  private ScheduleRun run(
      ScheduleSimulation simulation,
      OrderPolicies with,
      KnownDurations known,
      PreemptionCost overheads) {
    try (SimulationProgress progress = SimulationProgress.of(Caller.of(spec))) {
      LongConsumer done = count -> progress.at(with.toString(), count, simulation.size());
      return starts
          ? simulation.runShowingStarts(with, known, overheads, done)
          : simulation.run(with, known, overheads, done);
    }
  }

  private void print(ScheduleRun run) {
    PrintWriter out = spec.commandLine().getOut();
    out.println("time_s,job,event,nodes,gpus");
    for (ScheduleEvent event : run.events()) {
      out.println(
          String.format(Locale.ROOT, "%.3f", event.atMillis() / MILLIS)
              + ","
              + event.job()
              + ","
              + event.kind().name().toLowerCase(Locale.ROOT)
              + ","
              + event.nodes()
              + ","
              + event.gpus());
    }
    out.flush();
  }

  private void printTable(
      ScheduleSimulation simulation,
      List<OrderPolicies> policies,
      KnownDurations known,
      PreemptionCost overheads) {
    TextTable table =
        new TextTable(
            "POLICY", "MEAN", "P50", "P99", "WAIT", "P99 WAIT", "FIRST", "LEFT", "USEFUL", "JAIN");
    TextTable shown =
        new TextTable(
            "POLICY",
            "JOBS",
            "AT ONCE",
            "TOLD",
            "NEAR",
            "NEAR OF TOLD",
            "INTERVALS",
            "HELD",
            "WIDTH");
    for (OrderPolicies one : policies) {
      ScheduleRun run = run(simulation, one, known, overheads);
      ScheduleSummary sum = run.summary();
      if (starts) {
        ShownStartsSummary seen = run.shownStarts();
        shown.row(
            one,
            seen.jobs(),
            seen.atOnce(),
            seen.told(),
            percent(seen.near()),
            percent(seen.nearOfTold()),
            seen.intervals(),
            percent(seen.held()),
            seconds(seen.width()));
      }
      table.row(
          one,
          seconds(sum.meanTime()),
          seconds(sum.p50Time()),
          seconds(sum.p99Time()),
          seconds(sum.meanWait()),
          seconds(sum.p99Wait()),
          seconds(sum.meanFirstStart()),
          sum.preemptions(),
          percent(sum.useful()),
          String.format(Locale.ROOT, "%.4f", sum.fairness()));
    }
    PrintWriter out = spec.commandLine().getOut();
    table.lines().forEach(out::println);
    out.println(
        "Seconds from arrival to end, of waiting, and to the first start; how often jobs left for"
            + " others; GPU time that jobs needed, of all; fairness over users.");
    if (starts) {
      out.println();
      shown.lines().forEach(out::println);
      out.println(
          "Jobs that started when they came, and that were told a start; near it, within a minute or"
              + " a tenth of the wait, of all and of these; intervals that were told, how many"
              + " held, and their median width in seconds.");
    }
    out.flush();
  }

  private static String percent(double part) {
    return String.format(Locale.ROOT, "%.1f %%", part * 100);
  }

  private static String seconds(double value) {
    return String.format(Locale.ROOT, "%.0f", value);
  }

  private void printJson(
      ScheduleSimulation simulation,
      List<OrderPolicies> policies,
      KnownDurations known,
      PreemptionCost overheads)
      throws IOException {
    ArrayNode all = PlainJson.MAPPER.createArrayNode();
    for (OrderPolicies one : policies) {
      ScheduleRun run = run(simulation, one, known, overheads);
      ObjectNode row = all.addObject();
      row.put("policy", one.toString());
      row.put("durations", durations);
      row.setAll((ObjectNode) PlainJson.MAPPER.valueToTree(run.summary()));
      if (starts) {
        row.set("starts", PlainJson.MAPPER.valueToTree(run.shownStarts()));
      }
    }
    PrintWriter out = spec.commandLine().getOut();
    out.println(PlainJson.MAPPER.writeValueAsString(all));
    out.flush();
  }
}
