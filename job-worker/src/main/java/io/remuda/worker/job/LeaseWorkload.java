package io.remuda.worker.job;

import io.remuda.telemetry.render.PrintableText;
import java.util.Objects;

/**
 * Lends its place to a program that runs already. Nothing is started; the program is known by its
 * process, and gives the place back or has it taken back when the process ends.
 *
 * @param pid of the process, where its node's agent sees it, at least 2
 * @param startTicks field 22 of its {@code /proc/PID/stat}, which tells it from a later process of
 *     the same number
 * @param program what it is, for people
 */
public record LeaseWorkload(long pid, long startTicks, String program) implements Workload {

  private static final int MOST_PROGRAM = 1000;

  public LeaseWorkload {
    Objects.requireNonNull(program, "program");
    RecordChecks.noNul("program", program);
    if (pid < 2 || pid > Integer.MAX_VALUE) {
      throw new IllegalArgumentException("pid must be 2 or more, got " + pid);
    }
    if (startTicks < 1) {
      throw new IllegalArgumentException("startTicks must be 1 or more, got " + startTicks);
    }
    program = PrintableText.beginning(program, MOST_PROGRAM);
  }
}
