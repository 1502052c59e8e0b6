package io.remuda.coordinator.cli.simulate;

import io.remuda.agent.commandline.Caller;
import io.remuda.coordinator.cli.output.TextTable;
import io.remuda.coordinator.simulate.BadTableException;
import io.remuda.coordinator.simulate.PlacementSimulation;
import io.remuda.coordinator.simulate.PlacementSummary;
import io.remuda.worker.job.PlacementPolicy;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Prints where tasks are placed, or how policies compare. */
@Command(
    name = "placement",
    description = {
      "Places the tasks of a file one by one, in the order of its lines. Nothing ends or moves; a"
          + " task that fits nowhere is left out. The policy knows a task when it arrives.",
      "Prints a line name,node,gpus for each task, node empty for one that fits nowhere, gpus as"
          + " 0-3-5; with --compare a table of policies. Files may be compressed (.gz)."
    },
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:printed", "2:bad usage, or a file that cannot be read"},
    sortOptions = false)
final class SimulatePlacementCommand implements Callable<Integer> {

  @Option(
      names = "--nodes",
      paramLabel = "FILE",
      required = true,
      description = "a table sn,cpu_milli,memory_mib,gpu,model")
  private Path nodes;

  @Option(
      names = "--workload",
      paramLabel = "FILE",
      required = true,
      description =
          "a table name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec; gpu_milli below 1000 is a"
              + " part of a GPU, gpu_spec has the models that will do, as 'A100|H100'")
  private Path workload;

  @Option(
      names = "--policy",
      paramLabel = "POLICY",
      description = "as of remuda submit (default: foresight)")
  private String policy;

  @Option(
      names = "--compare",
      paramLabel = "POLICY",
      split = ",",
      description = "several policies: how much of the GPUs each gives to tasks")
  private List<String> compared;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    if (policy != null && compared != null) {
      throw new ParameterException(spec.commandLine(), "give --policy or --compare, not both");
    }
    try {
      List<PlacementPolicy> policies = new ArrayList<>();
      for (String name : compared == null ? List.<String>of() : compared) {
        policies.add(PlacementPolicy.parse(name));
      }
      PlacementPolicy one = policy == null ? PlacementPolicy.USUAL : PlacementPolicy.parse(policy);
      PlacementSimulation simulation =
          PlacementSimulation.read(nodes, workload, Caller.of(spec)::resolve);
      if (compared == null) {
        print(run(simulation, one));
      } else {
        compare(simulation, policies);
      }
      return 0;
    } catch (BadTableException | IllegalArgumentException refused) {
      throw new ParameterException(spec.commandLine(), refused.getMessage(), refused);
    }
  }

  private List<PlacementSimulation.Placed> run(PlacementSimulation simulation, PlacementPolicy with)
      throws BadTableException {
    try (SimulationProgress progress = SimulationProgress.of(Caller.of(spec))) {
      return simulation.run(with, done -> progress.at(with.toString(), done, simulation.size()));
    }
  }

  private void print(List<PlacementSimulation.Placed> placed) {
    PrintWriter out = spec.commandLine().getOut();
    out.println("name,node,gpus");
    for (PlacementSimulation.Placed one : placed) {
      out.println(one.task() + "," + one.node() + "," + one.gpus());
    }
    out.flush();
  }

  private void compare(PlacementSimulation simulation, List<PlacementPolicy> policies)
      throws BadTableException {
    TextTable table =
        new TextTable("POLICY", "GPUS@90", "GPUS@100", "GPUS@END", "NOT PLACED", "P50", "P99");
    for (PlacementPolicy one : policies) {
      PlacementSummary sum = PlacementSummary.of(run(simulation, one), simulation.gpus());
      table.row(
          one,
          percent(sum.gpusAt(90)),
          percent(sum.gpusAt(100)),
          percent(sum.gpusAtEnd()),
          sum.notPlaced(),
          millis(sum.nanos(0.5)),
          millis(sum.nanos(0.99)));
    }
    PrintWriter out = spec.commandLine().getOut();
    table.lines().forEach(out::println);
    out.println("GPUs given to tasks in percent of all, when so many percent were asked for");
    out.flush();
  }

  private static String percent(double value) {
    return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, "%.2f %%", value);
  }

  private static String millis(long nanos) {
    return String.format(Locale.ROOT, "%.2f ms", nanos / 1e6);
  }
}
