package io.remuda.coordinator.cli.jobfile;

import io.remuda.agent.attempt.ReservedVariables;
import io.remuda.agent.keeper.limit.ShellLimits;
import io.remuda.telemetry.render.PrintableText;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine;

/** The variables that somebody has chosen for a job by {@code --env}. */
public final class ChosenVariables {

  private ChosenVariables() {}

  /**
   * Returns the environment of a job.
   *
   * @param shell the variables that it gets anyway
   * @param chosen variables in place of those of the shell
   * @param gang whether the job is a gang
   * @param command whose options these are
   * @throws CommandLine.ParameterException if nobody may choose one of them
   */
  public static Map<String, String> over(
      Map<String, String> shell, Map<String, String> chosen, boolean gang, CommandLine command) {
    for (String name : chosen.keySet()) {
      Optional<String> refusal = ReservedVariables.refusal(name, gang);
      if (refusal.isPresent()) {
        throw new CommandLine.ParameterException(
            command, "--env " + PrintableText.of(name) + ": " + refusal.get());
      }
    }
    try {
      ShellLimits.parse(chosen.getOrDefault(ShellLimits.VARIABLE, ""));
    } catch (IllegalArgumentException wrong) {
      throw new CommandLine.ParameterException(
          command, "--env " + PrintableText.of(wrong.getMessage()));
    }
    Map<String, String> all = new LinkedHashMap<>(shell);
    all.putAll(chosen);
    return all;
  }
}
