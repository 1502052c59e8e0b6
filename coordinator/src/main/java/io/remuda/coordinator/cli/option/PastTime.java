package io.remuda.coordinator.cli.option;

import io.remuda.worker.job.SizeAndTimeParser;
import java.time.Duration;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** How long ago something began that is asked for, as {@code 6h} or {@code 7d}. */
public final class PastTime {

  private PastTime() {}

  /**
   * Returns the length of {@code --since}, at least a second.
   *
   * @param mostDays the longest that is accepted
   * @throws ParameterException if the text is no such time
   */
  public static Duration since(String text, int mostDays, CommandSpec command) {
    try {
      Duration length = SizeAndTimeParser.time(text);
      if (length.toSeconds() > 0 && length.compareTo(Duration.ofDays(mostDays)) <= 0) {
        return length;
      }
    } catch (IllegalArgumentException no) {
      // said below
    }
    throw new ParameterException(
        command.commandLine(),
        "--since: '" + text + "' is not a time up to " + mostDays + "d: write 6h or 7d");
  }
}
