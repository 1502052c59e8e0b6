package io.remuda.coordinator.slurm;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How long an allocation lasts, as Slurm says it.
 *
 * @param running whether the job runs; not if it is completing or has ended
 * @param left time to its time limit; empty without a limit, or if the job does not run
 */
record AllocationTime(boolean running, Optional<Duration> left) {

  /** The format for squeue that {@link #of} reads: job, state, time left. */
  static final String FORMAT = "%A|%T|%L";

  /** What is said of a job that Slurm no longer knows. */
  static final AllocationTime OVER = new AllocationTime(false, Optional.empty());

  private static final Pattern LEFT =
      Pattern.compile("(?:(\\d+)-)?(?:(\\d+):)?(\\d+):(\\d+)(?:\\.\\d+)?");

  /**
   * Reads the lines of squeue; it lists other components of a heterogeneous job, too.
   *
   * @param job the id of the component
   */
  static AllocationTime of(String lines, String job) {
    return lines
        .lines()
        .map(line -> line.strip().split("\\|", -1))
        .filter(parts -> parts.length == 3 && parts[0].equals(job))
        .findFirst()
        .map(parts -> of(parts[1].equals("RUNNING"), parts[2]))
        .orElse(OVER);
  }

  /** A time that is not a number is that of a job without a limit, such as UNLIMITED. */
  private static AllocationTime of(boolean running, String left) {
    return new AllocationTime(running, running ? duration(left) : Optional.empty());
  }

  private static Optional<Duration> duration(String text) {
    Matcher matcher = LEFT.matcher(text);
    if (!matcher.matches()) {
      return text.equals("INVALID") ? Optional.of(Duration.ZERO) : Optional.empty(); // passed
    }
    return Optional.of(
        Duration.ofDays(number(matcher.group(1)))
            .plusHours(number(matcher.group(2)))
            .plusMinutes(number(matcher.group(3)))
            .plusSeconds(number(matcher.group(4))));
  }

  private static long number(String digits) {
    return digits == null ? 0 : Long.parseLong(digits);
  }

  /** Returns what is said of both together: the shorter time, and running if both do. */
  AllocationTime and(AllocationTime other) {
    if (left.isEmpty() || other.left.isEmpty()) {
      return new AllocationTime(running && other.running, left.isEmpty() ? other.left : left);
    }
    Duration shorter = left.get().compareTo(other.left.get()) < 0 ? left.get() : other.left.get();
    return new AllocationTime(running && other.running, Optional.of(shorter));
  }
}
