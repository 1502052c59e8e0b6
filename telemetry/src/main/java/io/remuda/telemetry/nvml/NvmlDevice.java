package io.remuda.telemetry.nvml;

import io.remuda.telemetry.model.DeviceHealth;
import io.remuda.telemetry.model.DeviceInfo;
import io.remuda.telemetry.model.DeviceSample;
import io.remuda.telemetry.model.DeviceSampleBuilder;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * One GPU over the life of the process: keeps its identity while handles come and go. Only one
 * thread is ever inside the driver with it.
 */
final class NvmlDevice {
  private final DeviceInfo info;
  private final AtomicBoolean entered = new AtomicBoolean();
  private volatile NvmlReader reader;

  /** For those who read the memory only, since a reader is used by one at a time. */
  private volatile NvmlReader memoryReader;

  private volatile NvmlReturn noReaderBecause = NvmlReturn.UNINITIALIZED;
  private volatile boolean reopen;

  NvmlDevice(DeviceInfo info, NvmlReader reader) {
    this.info = info;
    this.reader = reader;
    this.memoryReader = reader.again();
  }

  DeviceInfo info() {
    return info;
  }

  /** Takes up the handle that the newly opened library gave. */
  void attach(Nvml nvml, NvmlHandle handle) {
    reopen = false;
    noReaderBecause = handle.answer();
    reader = handle.pointer() == null ? null : new NvmlReader(nvml, handle.pointer());
    memoryReader = reader == null ? null : reader.again();
  }

  /** The library was shut down or could not be opened: there is no handle any more. */
  void detach(NvmlReturn because) {
    reader = null;
    memoryReader = null;
    noReaderBecause = because;
  }

  /** Whether the last reading asks for the library to be opened again. */
  boolean asksForReopening() {
    return reopen || reader == null;
  }

  /** Memory in use in bytes; one thread may read it while another takes a sample. */
  OptionalLong memoryUsed() {
    NvmlReader present = memoryReader;
    return present == null ? OptionalLong.empty() : present.memoryUsed();
  }

  /** Reads the GPU, or says why it cannot be read. */
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
      return sample.build();
    } finally {
      entered.set(false);
    }
  }

  private DeviceSample unreadable() {
    boolean gone =
        noReaderBecause == NvmlReturn.NOT_FOUND
            || NvmlHealth.of(noReaderBecause) == DeviceHealth.LOST;
    return DeviceSampleBuilder.of(info)
        .health(gone ? DeviceHealth.LOST : DeviceHealth.STALE)
        .error(NvmlFunction.HANDLE_BY_UUID.symbol(), noReaderBecause.name())
        .build();
  }
}
