package io.remuda.coordinator.doctor;

import io.remuda.coordinator.ensemble.WorkerMemoryEstimate;
import io.remuda.telemetry.model.HostInfo;
import java.time.Instant;
import java.util.Locale;

/** Checks Java, CPUs, memory and clock. */
final class MachineChecks {

  private static final int OLDEST_JAVA = 17;
  private static final int BATCH = 64;
  private static final int TEST_BATCH = 1000;
  private static final double GIB = 1L << 30;

  /** October 2025, before this program was released: an earlier clock is wrong. */
  private static final long EARLIEST_MILLIS = 1_760_000_000_000L;

  private MachineChecks() {}

  static DoctorFinding java(int feature, String home) {
    String found = "Java " + feature + " in " + home;
    return feature >= OLDEST_JAVA
        ? DoctorFinding.good("java", found)
        : DoctorFinding.broken(
            "java", found, "install a JDK of version 17 or newer, or set JAVA_HOME to one");
  }

  static DoctorFinding cpus(HostInfo host) {
    String found =
        String.format(
            Locale.ROOT, "%.1f of %d CPUs allowed", host.cpusAllowed(), host.cpusOnline());
    return host.cpusAllowed() >= 2
        ? DoctorFinding.good("cpus", found)
        : DoctorFinding.warning("cpus", found, "trainings and images will take turns on one CPU");
  }

  /** Checks that one training fits; trainings that do not fit at once run one after the other. */
  static DoctorFinding memory(HostInfo host) {
    long one = WorkerMemoryEstimate.training(BATCH, TEST_BATCH);
    long fitting = host.memAllowed() / one;
    String found =
        String.format(
            Locale.ROOT,
            "%.1f of %.1f GiB allowed, enough for %d trainings at once",
            host.memAllowed() / GIB,
            host.memTotal() / GIB,
            fitting);
    if (fitting < 1) {
      return DoctorFinding.broken(
          "memory", found, "request more memory, or pass a smaller --test-batch-size");
    }
    return fitting < 2
        ? DoctorFinding.warning("memory", found, "two trainings will run one after the other")
        : DoctorFinding.good("memory", found);
  }

  static DoctorFinding clock(long nowMillis) {
    String found = "the wall clock shows " + Instant.ofEpochMilli(nowMillis);
    return nowMillis >= EARLIEST_MILLIS
        ? DoctorFinding.good("clock", found)
        : DoctorFinding.warning(
            "clock", found, "set the time: certificates and logs would be wrong");
  }
}
