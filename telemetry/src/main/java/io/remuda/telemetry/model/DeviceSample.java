package io.remuda.telemetry.model;

import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The readings of one device at one moment; a null reading is not available.
 *
 * @param id the device
 * @param index position in the driver's order, from 0
 * @param migSlot slot of a MIG instance on the device at that index; null for a whole device
 * @param utilGpu share of time in which a kernel ran, 0-100 %
 * @param utilMem share of time in which device memory was read or written, 0-100 %
 * @param memTotal device memory in bytes
 * @param memUsed allocated bytes; excludes {@code memReserved} when that is known
 * @param memReserved bytes kept by driver and firmware; null from drivers that count them as used
 * @param memFree free bytes
 * @param tempC core temperature in degrees Celsius
 * @param powerMw power draw in milliwatts
 * @param powerLimitMw enforced power limit in milliwatts
 * @param energyMj energy in millijoules since the driver was loaded; a fall means a reset
 * @param clockSmMhz clock of the multiprocessors in MHz
 * @param clockMemMhz clock of the memory in MHz
 * @param fanPct fan speed, percent of its maximum; null for passively cooled boards
 * @param throttleReasons bit set of reasons for lowered clocks, as NVML defines it
 * @param eccUncorrected uncorrected memory errors since the driver was loaded
 * @param processes compute processes; null when they were not sampled this time
 * @param health state derived from the driver's answers
 * @param errors for each function of the driver that gave no value, the name of its return code,
 *     such as {@code nvmlDeviceGetFanSpeed -> NOT_SUPPORTED}
 */
public record DeviceSample(
    DeviceId id,
    int index,
    Integer migSlot,
    Integer utilGpu,
    Integer utilMem,
    Long memTotal,
    Long memUsed,
    Long memReserved,
    Long memFree,
    Integer tempC,
    Integer powerMw,
    Integer powerLimitMw,
    Long energyMj,
    Integer clockSmMhz,
    Integer clockMemMhz,
    Integer fanPct,
    Long throttleReasons,
    Long eccUncorrected,
    List<DeviceProcess> processes,
    DeviceHealth health,
    Map<String, String> errors) {
  public DeviceSample {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(health, "health");
    if (index < 0) {
      throw new IllegalArgumentException("index must be 0 or more but is " + index);
    }
    processes = processes == null ? null : List.copyOf(processes);
    errors = errors == null ? Map.of() : Map.copyOf(errors);
  }

  /**
   * Returns the number to display: {@code 3}, or {@code 3:1} for the MIG instance in slot 1 of
   * device 3.
   */
  public String number() {
    return migSlot == null ? Integer.toString(index) : index + ":" + migSlot;
  }

  /** Returns a copy with other processes, for example after their tasks were looked up. */
  public DeviceSample withProcesses(List<DeviceProcess> others) {
    return new DeviceSample(
        id,
        index,
        migSlot,
        utilGpu,
        utilMem,
        memTotal,
        memUsed,
        memReserved,
        memFree,
        tempC,
        powerMw,
        powerLimitMw,
        energyMj,
        clockSmMhz,
        clockMemMhz,
        fanPct,
        throttleReasons,
        eccUncorrected,
        others,
        health,
        errors);
  }

  /**
   * Returns a copy with the processes of an earlier sample if its own were not read; a device that
   * does not answer has none.
   *
   * @param before or null
   */
  public DeviceSample withLastProcesses(DeviceSample before) {
    boolean answers = health == DeviceHealth.OK || health == DeviceHealth.DEGRADED;
    return processes == null && answers && before != null && before.processes != null
        ? withProcesses(before.processes)
        : this;
  }

  /**
   * Returns a STALE sample without readings; {@code errors} maps {@code function} to {@code cause}.
   */
  public static DeviceSample stale(DeviceInfo device, String function, String cause) {
    return DeviceSampleBuilder.of(device).health(DeviceHealth.STALE).error(function, cause).build();
  }
}
