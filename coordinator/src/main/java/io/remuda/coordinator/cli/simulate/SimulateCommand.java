package io.remuda.coordinator.cli.simulate;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Tries policies on nodes and tasks from files, or on what a cluster did. */
@Command(
    name = "simulate",
    description =
        "Decides by the scheduler that runs the cluster what becomes of tasks of a file or of a driver,"
            + " to compare policies, or replays what a cluster did; only history needs a server.",
    mixinStandardHelpOptions = true,
    subcommands = {
      SimulatePlacementCommand.class,
      SimulateScheduleCommand.class,
      SimulateShareCommand.class,
      SimulateHistoryCommand.class
    })
public final class SimulateCommand implements Runnable {

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(),
        "give a command: remuda simulate placement --nodes N.csv --workload W.csv, remuda simulate"
            + " schedule --cluster C.csv --trace T.csv, or remuda simulate history");
  }
}
