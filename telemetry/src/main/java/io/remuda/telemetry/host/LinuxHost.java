package io.remuda.telemetry.host;

import io.remuda.telemetry.model.HostInfo;
import io.remuda.telemetry.model.HostSample;
import io.remuda.telemetry.source.HostSource;
import java.nio.file.Path;
import java.util.Map;

/**
 * The Linux machine this process runs on. The inventory is read once, when the source is opened; a
 * sample reads three small files of /proc. Values that cannot be read are 0 or null; no exception
 * is thrown.
 */
public final class LinuxHost implements HostSource {
  private final Path proc;
  private final HostInfo info;
  private CpuTicks previous;

  private LinuxHost(Path proc, HostInfo info) {
    this.proc = proc;
    this.info = info;
  }

  /**
   * Opens this machine.
   *
   * @param environment the process environment; the Slurm variables in it limit CPUs and memory
   */
  public static LinuxHost open(Map<String, String> environment) {
    return open(environment, HostPaths.standard());
  }

  /** Opens this machine as {@link #open(Map)} does, reading from other folders. */
  public static LinuxHost open(Map<String, String> environment, HostPaths paths) {
    return new LinuxHost(paths.proc(), HostInventory.read(paths, environment));
  }

  @Override
  public HostInfo info() {
    return info;
  }

  @Override
  public synchronized HostSample sample() {
    String[] loads = KernelFile.text(proc.resolve("loadavg")).split("\\s+");
    MemoryInfo memory = MemoryInfo.read(proc);
    return new HostSample(
        load(loads, 0),
        load(loads, 1),
        load(loads, 2),
        busyRatio(),
        info.cpusOnline(),
        memory.bytes("MemTotal", 0),
        memory.bytes("MemAvailable", memory.bytes("MemFree", 0)),
        memory.swapUsed());
  }

  private static double load(String[] loads, int position) {
    boolean known = position < loads.length && loads[position].matches("[0-9]+(\\.[0-9]+)?");
    return known ? Double.parseDouble(loads[position]) : 0;
  }

  private Double busyRatio() {
    CpuTicks now = CpuTicks.read(proc);
    Double ratio = now == null || previous == null ? null : now.busyShareSince(previous);
    previous = now;
    return ratio;
  }
}
