package io.remuda.agent.keeper.limit;

import io.remuda.agent.keeper.SpawnRequest;

/**
 * The resources that a task has requested. They are read from its environment, so that the task
 * sees exactly what is enforced.
 *
 * @param memoryBytes 0 if it has requested none
 * @param cpus 0 if it has requested none; may be a fraction
 */
public record TaskLimits(long memoryBytes, double cpus) {

  private static final long MEBIBYTE = 1 << 20;

  public static TaskLimits of(SpawnRequest request) {
    return new TaskLimits(
        (long) number(request.variable("REMUDA_MEM_MIB")) * MEBIBYTE,
        number(request.variable("REMUDA_CPUS")));
  }

  private static double number(String text) {
    try {
      return text == null ? 0 : Math.max(0, Double.parseDouble(text));
    } catch (NumberFormatException notOurs) {
      return 0;
    }
  }

  /** Returns the memory for messages. */
  public String memory() {
    return text(memoryBytes);
  }

  /** Returns an amount of memory for messages. */
  public static String text(long bytes) {
    long mebibytes = bytes / MEBIBYTE;
    if (mebibytes < 1024) {
      return mebibytes + " MiB";
    }
    return mebibytes % 1024 == 0
        ? mebibytes / 1024 + " GiB"
        : Math.round(mebibytes / 102.4) / 10.0 + " GiB";
  }
}
