package io.remuda.coordinator.cli.server;

import io.remuda.coordinator.service.RunningJobServer;
import io.remuda.coordinator.service.ServiceFolder;
import io.remuda.coordinator.slurm.SlurmAllocation;
import io.remuda.coordinator.slurm.SlurmStepAgents;
import io.remuda.coordinator.slurm.SrunArgumentSplitter;
import io.remuda.worker.job.SizeAndTimeParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** How a server uses the Slurm job that it is started in. */
final class SlurmAllocationOptions {

  private static final String ALONE = "--no-srun";

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--end-margin",
      paramLabel = "D",
      description =
          "in a Slurm job: end so long before the job does; running tasks wait for the next server"
              + " (default: 1m)")
  private String endMargin;

  @Option(
      names = "--srun-args",
      paramLabel = "ARGS",
      description = "in a Slurm job: further arguments for the srun that starts the agents")
  private String srunArguments;

  @Option(
      names = ALONE,
      description = "in a Slurm job: an agent for this machine alone, as outside of one")
  private boolean alone;

  /**
   * Returns the allocation to use; empty outside a Slurm job.
   *
   * @param local why the server has no agents but the one of its machine, or null
   * @param agentOptions options of every agent
   */
  Optional<RunningJobServer.Allocation> allocation(
      Map<String, String> environment, String local, List<String> agentOptions, Path home) {
    Duration margin = margin();
    Optional<SlurmAllocation> found = alone || local != null ? Optional.empty() : find(environment);
    if (found.isEmpty() && (endMargin != null || srunArguments != null)) {
      String option = endMargin != null ? "--end-margin" : "--srun-args";
      throw refused(
          option
              + " is for a server that starts agents in a Slurm job, and "
              + (local != null ? local : alone ? ALONE + " was given" : "this is none"));
    }
    List<String> options = new ArrayList<>(agentOptions);
    options.addAll(List.of("--nodes-folder", ServiceFolder.nodes(home).toString()));
    return found.map(
        allocation ->
            new RunningJobServer.Allocation(
                new SlurmStepAgents(allocation, srunArguments(), options), margin));
  }

  /** Refuses a margin so long that the server would end at once. */
  void refuseShort(RunningJobServer.Allocation allocation) {
    allocation
        .agents()
        .tooShortFor(allocation.margin())
        .ifPresent(
            why -> {
              throw refused(
                  "--end-margin: the server is to end "
                      + SizeAndTimeParser.words(allocation.margin().toMillis())
                      + " before its Slurm job, and "
                      + why
                      + ": give a shorter one, or the job more time");
            });
  }

  private Optional<SlurmAllocation> find(Map<String, String> environment) {
    try {
      return SlurmAllocation.of(environment, ALONE);
    } catch (IllegalArgumentException wrong) {
      throw refused(wrong.getMessage());
    }
  }

  private Duration margin() {
    try {
      return endMargin == null ? Duration.ofMinutes(1) : SizeAndTimeParser.time(endMargin);
    } catch (IllegalArgumentException wrong) {
      throw refused("--end-margin: " + wrong.getMessage());
    }
  }

  private List<String> srunArguments() {
    try {
      return srunArguments == null ? List.of() : SrunArgumentSplitter.split(srunArguments);
    } catch (IllegalArgumentException wrong) {
      throw refused(wrong.getMessage());
    }
  }

  /** Returns what to say in a PBS job of several machines, in which only this one gets an agent. */
  static Optional<String> pbsNote(Map<String, String> environment) {
    String file = environment.get("PBS_NODEFILE");
    if (file == null || file.isBlank()) {
      return Optional.empty();
    }
    try {
      long hosts = Files.readAllLines(Path.of(file)).stream().distinct().count();
      return hosts < 2
          ? Optional.empty()
          : Optional.of(
              "in a PBS job of "
                  + hosts
                  + " machines, and only this one has an agent: start the others with --listen"
                  + " ADDRESS and remuda agent --ssh HOST, and end the server before the job ends"
                  + " (remuda stop)");
    } catch (IOException | IllegalArgumentException unreadable) {
      return Optional.empty();
    }
  }

  private ParameterException refused(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
