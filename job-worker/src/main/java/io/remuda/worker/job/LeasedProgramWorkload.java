package io.remuda.worker.job;

import io.remuda.telemetry.render.PrintableText;
import java.util.Objects;

/**
 * Lends its slot and devices to a program that is already running. No process is started. The
 * program is identified by its process; the lease ends when the program returns it or its process
 * ends.
 *
 * @param pid id of the process as its node's agent sees it, at least 2
 * @param startTicks field 22 of its {@code /proc/PID/stat}, which distinguishes it from a later
 *     process with the same pid
 * @param program description of the program, shown to users
 */
public record LeasedProgramWorkload(long pid, long startTicks, String program) implements Workload {

  private static final int MOST_PROGRAM = 1000;

  public LeasedProgramWorkload {
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
