package io.remuda.telemetry.host;

/** The kernel's notation for sets of CPUs, such as {@code 0-3,8,10-11}. */
final class CpuList {
  private CpuList() {}

  /** Returns the number of CPUs in a list; 0 when it is empty or malformed. */
  static int count(String list) {
    int count = 0;
    for (String range : list.strip().split(",")) {
      String[] ends = range.strip().split("-", 2);
      if (!ends[0].matches("[0-9]{1,6}") || !ends[ends.length - 1].matches("[0-9]{1,6}")) {
        return 0;
      }
      count += Math.max(0, Integer.parseInt(ends[ends.length - 1]) - Integer.parseInt(ends[0]) + 1);
    }
    return count;
  }
}
