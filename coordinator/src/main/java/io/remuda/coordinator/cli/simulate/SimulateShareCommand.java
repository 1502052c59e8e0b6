package io.remuda.coordinator.cli.simulate;

import io.remuda.agent.commandline.Caller;
import io.remuda.coordinator.simulate.BadTableException;
import io.remuda.coordinator.simulate.ShareSimulation;
import io.remuda.worker.job.PlacementPolicy;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Decides for a driver which of its jobs start on which GPUs. */
@Command(
    name = "share",
    description = {
      "Reads events of a driver from stdin, one JSON object a line, and answers each with a line that"
          + " says which jobs start where. It knows no more than the events tell.",
      "Events are {\"t\": seconds, \"event\": ...}: cluster (nodes: node, gpus, gpu_mem_mib), arrival"
          + " (job, gpus, perhaps gpu_mem_mib, type), observed (job, gpu_mem_mib), finished (job), oom"
          + " (job). Answers are {\"start\": [{\"job\", \"node\", \"gpus\": [0, 1]}]}."
    },
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:the driver has ended", "2:bad usage, or an event that cannot be"},
    sortOptions = false)
final class SimulateShareCommand implements Callable<Integer> {

  /** Where the first job of a type runs; the names are those of the server's setting. */
  enum FirstRun {
    ALONE,
    BESIDE
  }

  private static final int USUAL_PER_GPU = 2;
  private static final int MOST_PER_GPU = 1000;

  @Option(
      names = "--policy",
      paramLabel = "POLICY",
      description = "as of remuda submit (default: share)")
  private String policy;

  @Option(
      names = "--per-gpu",
      paramLabel = "N",
      description = "at most N jobs on a GPU, 0 for no limit (default: ${DEFAULT-VALUE})")
  private int perGpu = USUAL_PER_GPU;

  @Option(
      names = "--first-run",
      paramLabel = "WHERE",
      description =
          "where the first job of a type runs, as remuda.coordinator.sharing.first-run: ALONE, or"
              + " BESIDE others (default: ${DEFAULT-VALUE})")
  private FirstRun firstRun = FirstRun.BESIDE;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    if (perGpu < 0 || perGpu > MOST_PER_GPU) {
      throw new ParameterException(
          spec.commandLine(), "--per-gpu must be 0 to " + MOST_PER_GPU + ", got " + perGpu);
    }
    try {
      PlacementPolicy one = policy == null ? PlacementPolicy.SHARE : PlacementPolicy.parse(policy);
      ShareSimulation simulation =
          new ShareSimulation(
              new ShareSimulation.Settings(one, perGpu, firstRun == FirstRun.BESIDE));
      simulation.run(
          new BufferedReader(new InputStreamReader(Caller.of(spec).in(), StandardCharsets.UTF_8)),
          spec.commandLine().getOut());
      return 0;
    } catch (BadTableException | IllegalArgumentException refused) {
      throw new ParameterException(spec.commandLine(), refused.getMessage(), refused);
    }
  }
}
