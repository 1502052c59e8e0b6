package io.remuda.agent.keeper;

import java.util.Map;

/**
 * What a task has stated that it needs. It sees it in its environment, and from there it is taken,
 * so that what it is told and what it is held to are one.
 *
 * @param memoryBytes 0 if it has stated none
 * @param cpus 0 if it has stated none; fractions are good
 */
record TaskLimits(long memoryBytes, double cpus) {

  private static final long MEBIBYTE = 1 << 20;

  static TaskLimits of(Map<String, String> environment) {
    return new TaskLimits(
        (long) number(environment.get("REMUDA_MEM_MIB")) * MEBIBYTE,
        number(environment.get("REMUDA_CPUS")));
  }

  private static double number(String text) {
    try {
      return text == null ? 0 : Math.max(0, Double.parseDouble(text));
    } catch (NumberFormatException notOurs) {
      return 0;
    }
  }

  /** The memory, for people. */
  String memory() {
    return text(memoryBytes);
  }

  /** An amount of memory, for people. */
  static String text(long bytes) {
    long mebibytes = bytes / MEBIBYTE;
    if (mebibytes < 1024) {
      return mebibytes + " MiB";
    }
    return mebibytes % 1024 == 0
        ? mebibytes / 1024 + " GiB"
        : Math.round(mebibytes / 102.4) / 10.0 + " GiB";
  }
}
