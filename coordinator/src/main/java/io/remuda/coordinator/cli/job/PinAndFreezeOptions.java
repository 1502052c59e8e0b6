package io.remuda.coordinator.cli.job;

import io.remuda.agent.commandline.Caller;
import io.remuda.coordinator.cli.freeze.WorkingTreeFreezeException;
import io.remuda.coordinator.cli.freeze.WorkingTreeFreezer;
import io.remuda.coordinator.cli.jobfile.SubmittingShellEnvironment;
import io.remuda.coordinator.cli.script.LoginEnvironment;
import io.remuda.coordinator.cli.script.ScriptDirectiveApplier;
import java.io.IOException;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The options of how processes are started, which become the fields of the HTTP interface. */
final class PinAndFreezeOptions {

  @Option(
      names = "--pin",
      description =
          "bind each task to --cpus CPUs of its own, next to its GPU where the machine tells")
  private boolean pin;

  @Option(
      names = "--freeze",
      description =
          "run it in a copy of the working tree as it is now, so that later changes have no effect"
              + " (docs/scripts.md)")
  private boolean freeze;

  /** What the job's script says besides options; null if it has no script. */
  ScriptDirectiveApplier.Remarks head;

  /**
   * Returns a request with its frozen tree, if it is to have one.
   *
   * @param keep whether the tree is kept; else it is only looked at
   * @throws ParameterException if it cannot be frozen
   */
  static Map<String, Object> frozen(Map<String, Object> request, boolean keep, CommandLine line)
      throws IOException {
    try {
      return new WorkingTreeFreezer(Caller.of(line.getCommandSpec()), Clock.systemUTC())
          .frozen(request, keep);
    } catch (WorkingTreeFreezeException no) {
      throw new ParameterException(line, no.getMessage(), no);
    }
  }

  /** Returns the shell's environment, or what the job's script wants in its place. */
  Map<String, String> inherited(SubmittingShellEnvironment shell, CommandLine line) {
    if (head == null) {
      return shell.environment();
    }
    Map<String, String> caller = Caller.of(line.getCommandSpec()).environment();
    try {
      return head.export().over(shell.environment(), new LoginEnvironment(caller));
    } catch (IllegalArgumentException none) {
      throw new ParameterException(line, "#SBATCH --export: " + none.getMessage(), none);
    }
  }

  /** Returns whether the job's script wants its submission to wait for its end. */
  boolean waits() {
    return head != null && head.waits();
  }

  /** Returns the fields that were given. */
  Map<String, Object> fields() {
    Map<String, Object> fields = new LinkedHashMap<>();
    JobOptions.put(fields, "pin", pin ? true : null);
    JobOptions.put(fields, WorkingTreeFreezer.FREEZE, freeze ? true : null);
    return fields;
  }
}
