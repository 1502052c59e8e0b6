package io.remuda.coordinator.cli.script;

import io.remuda.worker.job.signal.SignalNames;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The value of sbatch's {@code --signal}: {@code [R][B]:SIGNAL[@SECONDS]}. Without {@code B} Slurm
 * signals the steps of {@code srun} alone, never the script's shell.
 *
 * @param shell whether the script's own shell gets it
 * @param name without {@code SIG}
 * @param seconds before the time limit, 0 to 65535
 */
record SbatchSignal(boolean shell, String name, int seconds) {

  private static final Pattern FORM =
      Pattern.compile("(?i)(?:(R|B|RB|BR):)?([a-z]+\\d?|\\d{1,2})(?:@(\\d{1,5}))?");

  private static final int USUAL_SECONDS = 60;
  private static final int MOST_SECONDS = 0xffff;

  /**
   * Reads a value.
   *
   * @throws IllegalArgumentException if it has no such form; the message is for users
   */
  static SbatchSignal of(String value) {
    Matcher parts = FORM.matcher(value);
    Optional<String> name =
        parts.matches() ? SignalNames.plainOfNumberOrName(parts.group(2)) : Optional.empty();
    int seconds =
        name.isEmpty() || parts.group(3) == null ? USUAL_SECONDS : Integer.parseInt(parts.group(3));
    if (name.isEmpty() || seconds > MOST_SECONDS) {
      throw new IllegalArgumentException(
          "'" + value + "' is not a signal and seconds before the limit: write B:USR1@120");
    }
    boolean shell = parts.group(1) != null && parts.group(1).matches("(?i).*B.*");
    return new SbatchSignal(shell, name.get(), seconds);
  }

  /** Returns what {@code remuda submit --signal} takes. */
  String option() {
    return (shell ? "" : "children:") + name + "@" + seconds + "s";
  }
}
