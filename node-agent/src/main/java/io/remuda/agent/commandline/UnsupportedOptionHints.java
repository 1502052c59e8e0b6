package io.remuda.agent.commandline;

import java.util.Map;
import java.util.Optional;

/**
 * What to say of options of Slurm and HyperQueue that have no option here in their place: what they
 * ask for happens anyway, or is written in another way.
 */
final class UnsupportedOptionHints {

  private static final String NUMBER = "name jobs without an option: remuda state 5";
  private static final String WATCH = "remuda top shows the jobs and keeps them up to date";

  /** Sentences by command and option. */
  private static final Map<String, String> HINTS =
      Map.of(
          "submit --parsable",
          "submit prints the number of the job alone in scripts, and on a terminal with --quiet",
          "state -j",
          NUMBER,
          "state --job",
          NUMBER,
          "state --jobs",
          NUMBER,
          "state --start",
          "remuda state shows anyway when jobs that wait may start",
          "state -w",
          WATCH,
          "state --watch",
          WATCH,
          "state -i",
          WATCH,
          "state --iterate",
          WATCH);

  private UnsupportedOptionHints() {}

  /**
   * Returns the sentence for an option that a command does not have; empty if there is none.
   *
   * @param command its name, as {@code state}
   * @param option as {@code -j} or {@code --parsable}
   */
  static Optional<String> of(String command, String option) {
    return Optional.ofNullable(HINTS.get(command + " " + option));
  }
}
