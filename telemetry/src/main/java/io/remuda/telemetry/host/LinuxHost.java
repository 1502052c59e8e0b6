package io.remuda.telemetry.host;

import io.remuda.telemetry.model.HostDetails;
import io.remuda.telemetry.model.HostInfo;
import io.remuda.telemetry.model.HostSample;
import io.remuda.telemetry.source.HostSource;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The Linux machine this process runs on. The inventory is read once, when the source is opened; a
 * sample reads five small files of /proc, which stay open, and waits for nothing that may stand
 * still. Values that cannot be read are 0 or null; no exception is thrown.
 */
public final class LinuxHost implements HostSource {
  /** Details of samples that follow more quickly are those of the last: their rates would jump. */
  private static final long LEAST_BETWEEN_DETAILS = TimeUnit.MILLISECONDS.toNanos(500);

  private final HostInfo info;
  private final LongSupplier clock;
  private final HeldKernelFile loads;
  private final HeldKernelFile memory;
  private final CpuMeter cpu;
  private final CpuMeter cores;
  private final HostDetailReader reader;
  private HostDetails details;
  private long detailsNanos;

  private LinuxHost(HostPaths paths, HostInfo info, LongSupplier clock) {
    this.info = info;
    this.clock = clock;
    this.loads = new HeldKernelFile(paths.proc().resolve("loadavg"));
    this.memory = new HeldKernelFile(paths.proc().resolve("meminfo"));
    HeldKernelFile stat = new HeldKernelFile(paths.proc().resolve("stat"));
    this.cpu = new CpuMeter(stat);
    this.cores = new CpuMeter(stat);
    this.reader = new HostDetailReader(paths);
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
    return open(environment, paths, System::nanoTime);
  }

  /** Opens it with another monotonic clock, in nanoseconds. */
  static LinuxHost open(Map<String, String> environment, HostPaths paths, LongSupplier clock) {
    return new LinuxHost(paths, HostInventory.read(paths, environment), clock);
  }

  @Override
  public HostInfo info() {
    return info;
  }

  @Override
  public synchronized HostSample sample() {
    KernelWords averages = loads.words();
    averages.nextLine();
    MemoryInfo bytes = MemoryInfo.read(memory);
    cpu.read();
    return new HostSample(
        Math.max(0, averages.fraction()),
        Math.max(0, averages.fraction()),
        Math.max(0, averages.fraction()),
        cpu.busyShare(),
        info.cpusOnline(),
        MemoryInfo.orNothing(bytes.total()),
        MemoryInfo.orNothing(bytes.available()),
        bytes.swapUsed(),
        details(clock.getAsLong()));
  }

  private HostDetails details(long now) {
    if (details == null || now - detailsNanos >= LEAST_BETWEEN_DETAILS) {
      cores.follow(cpu);
      details = reader.read(cores, now);
      detailsNanos = now;
    }
    return details;
  }
}
