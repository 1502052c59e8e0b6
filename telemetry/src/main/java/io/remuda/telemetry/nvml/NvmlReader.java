package io.remuda.telemetry.nvml;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import io.remuda.telemetry.model.DeviceHealth;
import io.remuda.telemetry.model.DeviceSampleBuilder;
import java.io.File;
import java.util.OptionalLong;

/**
 * Reads one GPU through one handle into a sample. Reuses its argument arrays and result memory,
 * because it runs every second. After an answer that means LOST or STALE, the remaining readings
 * are skipped. One thread at a time.
 */
final class NvmlReader {
  private static final int TEMPERATURE_GPU = 0;
  private static final int CLOCK_SM = 1;
  private static final int CLOCK_MEM = 2;
  private static final int ECC_UNCORRECTED = 1;
  private static final int ECC_VOLATILE = 0;
  private static final int MEMORY_V2_BYTES = 40;
  private static final int MEMORY_V2_VERSION = MEMORY_V2_BYTES | 2 << 24;
  private static final int FIRST_ENTRIES = 64;

  private final Nvml nvml;
  private final Pointer handle;
  private final Memory out = new Memory(8);
  private final Memory memory = new Memory(MEMORY_V2_BYTES);
  private final Memory count = new Memory(4);
  private Memory entries = new Memory((long) FIRST_ENTRIES * ProcessEntries.WIDE_BYTES);

  private final Object[] toOut;
  private final Object[] toMemory;
  private final Object[] temperature;
  private final Object[] clockSm;
  private final Object[] clockMem;
  private final Object[] ecc;
  private final Object[] processes;

  private final NvmlFunctionVersions memoryVersions =
      new NvmlFunctionVersions(NvmlFunction.MEMORY_V2, NvmlFunction.MEMORY);
  private final NvmlFunctionVersions reasonVersions =
      new NvmlFunctionVersions(NvmlFunction.EVENT_REASONS, NvmlFunction.THROTTLE_REASONS);
  private final NvmlFunctionVersions processVersions =
      new NvmlFunctionVersions(
          NvmlFunction.PROCESSES_V3, NvmlFunction.PROCESSES_V2, NvmlFunction.PROCESSES);

  private DeviceSampleBuilder sample;
  private DeviceHealth health;
  private boolean reopen;

  NvmlReader(Nvml nvml, Pointer handle) {
    this.nvml = nvml;
    this.handle = handle;
    toOut = new Object[] {handle, out};
    toMemory = new Object[] {handle, memory};
    temperature = new Object[] {handle, TEMPERATURE_GPU, out};
    clockSm = new Object[] {handle, CLOCK_SM, out};
    clockMem = new Object[] {handle, CLOCK_MEM, out};
    ecc = new Object[] {handle, ECC_UNCORRECTED, ECC_VOLATILE, out};
    processes = new Object[] {handle, count, entries};
  }

  /** Returns another reader of this GPU, for use by a second thread. */
  NvmlReader again() {
    return new NvmlReader(nvml, handle);
  }

  /** Reads everything but the process list. */
  void read(DeviceSampleBuilder into) {
    sample = into;
    health = DeviceHealth.OK;
    reopen = false;
    readUtilization();
    readMemory();
    sample.tempC(readInt(NvmlFunction.TEMPERATURE, temperature));
    sample.powerMw(readInt(NvmlFunction.POWER_USAGE, toOut));
    sample.powerLimitMw(readInt(NvmlFunction.POWER_LIMIT, toOut));
    sample.energyMj(readLong(NvmlFunction.ENERGY, toOut));
    sample.clockSmMhz(readInt(NvmlFunction.CLOCK, clockSm));
    sample.clockMemMhz(readInt(NvmlFunction.CLOCK, clockMem));
    sample.fanPct(readInt(NvmlFunction.FAN, toOut));
    readThrottleReasons();
    sample.eccUncorrected(readLong(NvmlFunction.ECC_ERRORS, ecc));
    sample.health(health);
  }

  /**
   * Adds the process list to the sample of the last {@link #read}; costs milliseconds on a real
   * driver.
   */
  void readProcesses() {
    if (!usable()) {
      return;
    }
    NvmlReturn answer = askProcesses();
    if (answer == NvmlReturn.INSUFFICIENT_SIZE) {
      grow(count.getInt(0));
      answer = askProcesses();
    }
    if (noted(processVersions.version(), answer)) {
      int n = Math.min(count.getInt(0), capacity());
      sample.processes(
          processVersions.version() == NvmlFunction.PROCESSES
              ? ProcessEntries.read(entries, n, ProcessEntries.V1_BYTES)
              : ProcessEntries.read(entries, n, memoryTotal(), NvmlReader::alive));
    }
    sample.health(health);
  }

  /** Returns whether an answer of the last reading requires the library to be reopened. */
  boolean asksForReopening() {
    return reopen;
  }

  /** Returns the size of the device memory in bytes, 0 when not available. */
  long memoryTotal() {
    return askMemory() == NvmlReturn.SUCCESS ? memory.getLong(memoryV2() ? 8 : 0) : 0;
  }

  /** Returns the device memory in use in bytes. */
  OptionalLong memoryUsed() {
    return askMemory() == NvmlReturn.SUCCESS
        ? OptionalLong.of(memory.getLong(memoryV2() ? 32 : 16))
        : OptionalLong.empty();
  }

  private void readUtilization() {
    if (!ask(NvmlFunction.UTILIZATION, toOut)) {
      return;
    }
    sample.utilGpu(percent(out.getInt(0)));
    sample.utilMem(percent(out.getInt(4)));
  }

  private Integer percent(int value) {
    if (value >= 0 && value <= 100) {
      return value;
    }
    sample.error(NvmlFunction.UTILIZATION.symbol(), "OUT_OF_RANGE " + value);
    return null;
  }

  private void readMemory() {
    if (!usable() || !noted(NvmlFunction.MEMORY, askMemory())) {
      return;
    }
    if (memoryV2()) {
      sample.memTotal(memory.getLong(8)).memReserved(memory.getLong(16));
      sample.memFree(memory.getLong(24)).memUsed(memory.getLong(32));
    } else {
      sample.memTotal(memory.getLong(0)).memFree(memory.getLong(8)).memUsed(memory.getLong(16));
    }
  }

  private boolean memoryV2() {
    return memoryVersions.version() == NvmlFunction.MEMORY_V2;
  }

  private NvmlReturn askMemory() {
    NvmlReturn answer;
    do {
      memory.clear();
      if (memoryV2()) {
        memory.setInt(0, MEMORY_V2_VERSION);
      }
      answer = nvml.call(memoryVersions.version(), toMemory);
    } while (memoryVersions.retreat(answer));
    return answer;
  }

  private void readThrottleReasons() {
    if (!usable()) {
      return;
    }
    NvmlReturn answer = reasonVersions.call(nvml, toOut);
    if (noted(reasonVersions.version(), answer)) {
      sample.throttleReasons(out.getLong(0));
    }
  }

  private NvmlReturn askProcesses() {
    NvmlReturn answer;
    do {
      entries.clear();
      count.setInt(0, capacity());
      answer = nvml.call(processVersions.version(), processes);
    } while (processVersions.retreat(answer));
    return answer;
  }

  private int capacity() {
    return (int) (entries.size() / ProcessEntries.WIDE_BYTES);
  }

  private void grow(int needed) {
    entries = new Memory((needed + 16L) * ProcessEntries.WIDE_BYTES);
    processes[2] = entries;
  }

  private static boolean alive(long pid) {
    return new File("/proc/" + pid).exists();
  }

  private Integer readInt(NvmlFunction function, Object[] arguments) {
    return ask(function, arguments) ? out.getInt(0) : null;
  }

  private Long readLong(NvmlFunction function, Object[] arguments) {
    return ask(function, arguments) ? out.getLong(0) : null;
  }

  private boolean ask(NvmlFunction function, Object[] arguments) {
    return usable() && noted(function, nvml.call(function, arguments));
  }

  private boolean usable() {
    return health == DeviceHealth.OK || health == DeviceHealth.DEGRADED;
  }

  private boolean noted(NvmlFunction function, NvmlReturn answer) {
    if (answer == NvmlReturn.SUCCESS) {
      return true;
    }
    sample.error(function.symbol(), answer.name());
    DeviceHealth meant = NvmlReturnHealth.of(answer);
    health = meant.compareTo(health) > 0 ? meant : health;
    reopen |= NvmlReturnHealth.asksForReopening(answer);
    return false;
  }
}
