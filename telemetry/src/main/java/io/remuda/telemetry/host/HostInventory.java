package io.remuda.telemetry.host;

import io.remuda.telemetry.model.HostInfo;
import java.nio.file.Path;
import java.util.Map;
import oshi.nativefree.SystemInfo;

/** Reads the size of the machine and how much of it this process may use. */
final class HostInventory {
  private static final long MEBIBYTE = 1L << 20;

  private HostInventory() {}

  static HostInfo read(HostPaths paths, Map<String, String> environment) {
    int online = online(paths.proc());
    CgroupLimits limits = CgroupLimits.read(paths);
    long memTotal = MemoryInfo.orNothing(MemoryInfo.read(paths.proc()).total());
    return new HostInfo(
        hostName(paths.proc(), environment),
        cpuModel(paths.proc()),
        online,
        cpusAllowed(paths.proc(), online, limits, environment),
        memTotal,
        (long) leastPositive(Math.min(memTotal, limits.memoryBytes()), slurmMemory(environment)));
  }

  private static double cpusAllowed(
      Path proc, int online, CgroupLimits limits, Map<String, String> environment) {
    String list =
        KernelFile.field(KernelFile.text(proc.resolve("self/status")), "Cpus_allowed_list");
    double allowed = Math.min(online, limits.cpus());
    allowed = leastPositive(allowed, CpuList.count(list));
    return leastPositive(allowed, slurm(environment));
  }

  private static double leastPositive(double allowed, double other) {
    return other > 0 ? Math.min(allowed, other) : allowed;
  }

  private static double slurm(Map<String, String> environment) {
    Long cpus = KernelFile.number(environment.getOrDefault("SLURM_CPUS_ON_NODE", "").strip());
    return cpus == null ? 0 : cpus;
  }

  /**
   * Returns the job's Slurm memory allocation on this node in bytes (Slurm counts MiB); 0 if unset.
   */
  private static double slurmMemory(Map<String, String> environment) {
    Long node = KernelFile.number(environment.getOrDefault("SLURM_MEM_PER_NODE", "").strip());
    if (node != null) {
      return node * (double) MEBIBYTE;
    }
    Long cpu = KernelFile.number(environment.getOrDefault("SLURM_MEM_PER_CPU", "").strip());
    return cpu == null ? 0 : cpu * slurm(environment) * MEBIBYTE;
  }

  private static int online(Path proc) {
    long lines =
        KernelFile.text(proc.resolve("stat"))
            .lines()
            .filter(l -> l.matches("cpu[0-9]+ .*"))
            .count();
    return lines > 0 ? (int) lines : Runtime.getRuntime().availableProcessors();
  }

  private static String hostName(Path proc, Map<String, String> environment) {
    String name = KernelFile.text(proc.resolve("sys/kernel/hostname"));
    return name.isEmpty() ? environment.getOrDefault("HOSTNAME", "localhost") : name;
  }

  /**
   * Returns the product name; kernels of 64-bit ARM know only numbers, for which OSHI has the
   * names. OSHI reads the whole topology for it, so it is not asked first.
   */
  private static String cpuModel(Path proc) {
    String name = KernelFile.field(KernelFile.head(proc.resolve("cpuinfo")), "model name\t");
    return name.isEmpty() ? cpuModelOfOshi() : name;
  }

  private static String cpuModelOfOshi() {
    try {
      String name =
          new SystemInfo().getHardware().getProcessor().getProcessorIdentifier().getName();
      return name == null || name.isBlank() ? "unknown" : name.strip();
    } catch (RuntimeException | LinkageError e) {
      return "unknown";
    }
  }
}
