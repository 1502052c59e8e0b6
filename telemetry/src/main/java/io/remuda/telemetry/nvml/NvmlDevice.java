package io.remuda.telemetry.nvml;

import io.remuda.telemetry.model.DeviceInfo;
import io.remuda.telemetry.model.DeviceSample;
import io.remuda.telemetry.model.DeviceSampleBuilder;
import io.remuda.telemetry.model.Health;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * One GPU over the life of the process: keeps its identity while handles come and go. Only one
 * thread is ever inside the driver with it.
 */
final class NvmlDevice {
  private final DeviceInfo info;
  private final AtomicBoolean entered = new AtomicBoolean();
  private volatile NvmlReader reader;
  private volatile NvmlReturn noReaderBecause = NvmlReturn.UNINITIALIZED;
  private volatile boolean reopen;

  NvmlDevice(DeviceInfo info, NvmlReader reader) {
    this.info = info;
    this.reader = reader;
  }

  DeviceInfo info() {
    return info;
  }

  /** Takes up the handle that the newly opened library gave. */
  void attach(Nvml nvml, NvmlHandle handle) {
    reopen = false;
    noReaderBecause = handle.answer();
    reader = handle.pointer() == null ? null : new NvmlReader(nvml, handle.pointer());
  }

  /** The library was shut down or could not be opened: there is no handle any more. */
  void detach(NvmlReturn because) {
    reader = null;
    noReaderBecause = because;
  }

  /** Whether the last reading asks for the library to be opened again. */
  boolean asksForReopening() {
    return reopen || reader == null;
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
        noReaderBecause == NvmlReturn.NOT_FOUND || NvmlHealth.of(noReaderBecause) == Health.LOST;
    return DeviceSampleBuilder.of(info)
        .health(gone ? Health.LOST : Health.STALE)
        .error(NvmlFunction.HANDLE_BY_UUID.symbol(), noReaderBecause.name())
        .build();
  }
}
