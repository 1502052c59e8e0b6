package io.remuda.telemetry.host;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/**
 * The limits that the control groups set for this process. A limit may be set in any group up to
 * the root, so the least of them applies. Versions 1 and 2 are both read, also when both are
 * mounted.
 *
 * @param cpus CPUs by quota and set, may be a fraction; +infinity without a limit
 * @param memoryBytes memory in bytes; {@link Long#MAX_VALUE} without a limit
 */
public record CgroupLimits(double cpus, long memoryBytes) {
  /** Values from here on mean no limit: version 1 writes about 2^63, and no machine has 1 EiB. */
  private static final long NO_LIMIT = 1L << 60;

  /** Reads the limits of the process behind {@code proc/self}. */
  public static CgroupLimits read(HostPaths paths) {
    double cpus = Double.POSITIVE_INFINITY;
    long memory = Long.MAX_VALUE;
    for (String line : KernelFile.text(paths.proc().resolve("self/cgroup")).split("\n")) {
      String[] parts = line.split(":", 3);
      if (parts.length < 3) {
        continue;
      }
      for (Path mount : mounts(paths.cgroup(), parts[1])) {
        List<Path> groups = upwards(mount, parts[2]);
        cpus = Math.min(cpus, least(groups, CgroupLimits::cpus));
        memory = Math.min(memory, (long) least(groups, CgroupLimits::memory));
      }
    }
    return new CgroupLimits(cpus, memory);
  }

  /**
   * Returns the possible mount points: version 2 has no controllers in its line; version 1 mounts
   * them together or separately.
   */
  private static List<Path> mounts(Path root, String controllers) {
    if (controllers.isEmpty()) {
      return List.of(root, root.resolve("unified"));
    }
    List<Path> mounts = new ArrayList<>();
    mounts.add(root.resolve(controllers));
    Arrays.stream(controllers.split(",")).map(root::resolve).forEach(mounts::add);
    return mounts;
  }

  /**
   * Returns the group and its ancestors up to the mount. In a container the path may be a path of
   * the host that does not exist here or leads above the mount; then the nearest existing ancestor,
   * or the mount itself, is used.
   */
  private static List<Path> upwards(Path mount, String group) {
    List<Path> groups = new ArrayList<>();
    Path named = mount.resolve(group.replaceFirst("^/+", "")).normalize();
    Path path = named.startsWith(mount) ? named : mount;
    for (; path != null && path.startsWith(mount); path = path.getParent()) {
      if (Files.isDirectory(path)) {
        groups.add(path);
      }
    }
    return groups;
  }

  private static double least(List<Path> groups, Function<Path, Double> limit) {
    return groups.stream().mapToDouble(limit::apply).min().orElse(Double.POSITIVE_INFINITY);
  }

  private static double cpus(Path group) {
    double set = Math.min(set(group, "cpuset.cpus.effective"), set(group, "cpuset.effective_cpus"));
    double given = Double.isInfinite(set) ? set(group, "cpuset.cpus") : set;
    return Math.min(given, Math.min(quotaV1(group), quotaV2(group)));
  }

  private static double set(Path group, String file) {
    int count = CpuList.count(KernelFile.text(group.resolve(file)));
    return count > 0 ? count : Double.POSITIVE_INFINITY;
  }

  private static double quotaV2(Path group) {
    String[] quotaAndPeriod = KernelFile.text(group.resolve("cpu.max")).split("\\s+");
    return quotaAndPeriod.length < 2
        ? Double.POSITIVE_INFINITY
        : ratio(KernelFile.number(quotaAndPeriod[0]), KernelFile.number(quotaAndPeriod[1]));
  }

  private static double quotaV1(Path group) {
    return ratio(
        KernelFile.number(group.resolve("cpu.cfs_quota_us")),
        KernelFile.number(group.resolve("cpu.cfs_period_us")));
  }

  private static double ratio(Long quota, Long period) {
    boolean limited = quota != null && period != null && quota > 0 && period > 0;
    return limited ? (double) quota / period : Double.POSITIVE_INFINITY;
  }

  private static double memory(Path group) {
    return Math.min(bytes(group, "memory.max"), bytes(group, "memory.limit_in_bytes"));
  }

  private static double bytes(Path group, String file) {
    Long bytes = KernelFile.number(group.resolve(file));
    return bytes == null || bytes >= NO_LIMIT ? Double.POSITIVE_INFINITY : bytes;
  }
}
