package io.remuda.telemetry.nvml;

import io.remuda.telemetry.model.DeviceHealth;
import io.remuda.telemetry.model.DeviceInfo;
import io.remuda.telemetry.model.DeviceSample;
import io.remuda.telemetry.model.DeviceSampleBuilder;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A GPU that keeps its identity while the library is reopened and handles change. At most one
 * thread samples it at a time.
 */
final class NvmlDevice {
  private final DeviceInfo info;
  private final AtomicBoolean entered = new AtomicBoolean();
  private volatile NvmlReader reader;

  /** A second reader for {@link #memoryUsed}, because a reader serves one thread at a time. */
  private volatile NvmlReader memoryReader;

  private volatile NvmlReturn noReaderBecause = NvmlReturn.UNINITIALIZED;
  private volatile boolean reopen;
  private volatile boolean lost;

  NvmlDevice(DeviceInfo info, NvmlReader reader) {
    this.info = info;
    this.reader = reader;
    this.memoryReader = reader.again();
  }

  DeviceInfo info() {
    return info;
  }

  /** Returns the device of an open library without an ordinal. */
  NvmlDevice uncounted() {
    return new NvmlDevice(info.withOrdinal(null), reader);
  }

  /** Installs the handle from the reopened library. */
  void attach(Nvml nvml, NvmlHandle handle) {
    reopen = false;
    noReaderBecause = handle.answer();
    reader = handle.pointer() == null ? null : new NvmlReader(nvml, handle.pointer());
    memoryReader = reader == null ? null : reader.again();
  }

  /** Drops the handle because the library was shut down or did not open. */
  void detach(NvmlReturn because) {
    reader = null;
    memoryReader = null;
    noReaderBecause = because;
  }

  /**
   * Returns whether the library must be reopened: the last reading failed accordingly, or there is
   * no handle.
   */
  boolean asksForReopening() {
    return reopen || reader == null;
  }

  /** Returns whether the newest reading found that it has fallen off the bus. */
  boolean isLost() {
    return lost;
  }

  /** Returns the memory in use in bytes; one thread may call this while another takes a sample. */
  OptionalLong memoryUsed() {
    NvmlReader present = memoryReader;
    return present == null ? OptionalLong.empty() : present.memoryUsed();
  }

  /** Reads the GPU; if that is impossible, returns a LOST or STALE sample with the cause. */
  DeviceSample sample(boolean withProcesses) {
    NvmlReader present = reader;
    if (present == null) {
      return unreadable();
    }
    if (!entered.compareAndSet(false, true)) {
      return DeviceSample.stale(info, "watchdog", NvmlReturn.IN_USE.name());
    }
    try {
      DeviceSampleBuilder sample = DeviceSampleBuilder.of(info);
      present.read(sample);
      if (withProcesses) {
        present.readProcesses();
      }
      reopen = present.asksForReopening();
      DeviceSample read = sample.build();
      lost = read.health() == DeviceHealth.LOST;
      return read;
    } finally {
      entered.set(false);
    }
  }

  private DeviceSample unreadable() {
    boolean gone =
        noReaderBecause == NvmlReturn.NOT_FOUND
            || NvmlReturnHealth.of(noReaderBecause) == DeviceHealth.LOST;
    lost = gone;
    return DeviceSampleBuilder.of(info)
        .health(gone ? DeviceHealth.LOST : DeviceHealth.STALE)
        .error(NvmlFunction.HANDLE_BY_UUID.symbol(), noReaderBecause.name())
        .build();
  }
}
