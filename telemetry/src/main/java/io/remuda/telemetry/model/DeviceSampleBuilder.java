package io.remuda.telemetry.model;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Builds a {@link DeviceSample} reading by reading. Readings that are not set stay null; health is
 * OK unless set. Units are those of {@link DeviceSample}. For one thread.
 */
public final class DeviceSampleBuilder {
  private final DeviceId id;
  private final int index;
  private final Integer migSlot;
  private Integer utilGpu;
  private Integer utilMem;
  private Long memTotal;
  private Long memUsed;
  private Long memReserved;
  private Long memFree;
  private Integer tempC;
  private Integer powerMw;
  private Integer powerLimitMw;
  private Long energyMj;
  private Integer clockSmMhz;
  private Integer clockMemMhz;
  private Integer fanPct;
  private Long throttleReasons;
  private Long eccUncorrected;
  private List<DeviceProcess> processes;
  private DeviceHealth health = DeviceHealth.OK;
  private Map<String, String> errors = Map.of();

  private DeviceSampleBuilder(DeviceId id, int index, Integer migSlot) {
    this.id = id;
    this.index = index;
    this.migSlot = migSlot;
  }

  public static DeviceSampleBuilder of(DeviceInfo device) {
    return new DeviceSampleBuilder(device.id(), device.index(), device.migSlot());
  }

  /** Starts a sample of a whole device. */
  public static DeviceSampleBuilder of(DeviceId id, int index) {
    return new DeviceSampleBuilder(id, index, null);
  }

  public DeviceSampleBuilder utilGpu(Integer utilGpu) {
    this.utilGpu = utilGpu;
    return this;
  }

  public DeviceSampleBuilder utilMem(Integer utilMem) {
    this.utilMem = utilMem;
    return this;
  }

  public DeviceSampleBuilder memTotal(Long memTotal) {
    this.memTotal = memTotal;
    return this;
  }

  public DeviceSampleBuilder memUsed(Long memUsed) {
    this.memUsed = memUsed;
    return this;
  }

  public DeviceSampleBuilder memReserved(Long memReserved) {
    this.memReserved = memReserved;
    return this;
  }

  public DeviceSampleBuilder memFree(Long memFree) {
    this.memFree = memFree;
    return this;
  }

  public DeviceSampleBuilder tempC(Integer tempC) {
    this.tempC = tempC;
    return this;
  }

  public DeviceSampleBuilder powerMw(Integer powerMw) {
    this.powerMw = powerMw;
    return this;
  }

  public DeviceSampleBuilder powerLimitMw(Integer powerLimitMw) {
    this.powerLimitMw = powerLimitMw;
    return this;
  }

  public DeviceSampleBuilder energyMj(Long energyMj) {
    this.energyMj = energyMj;
    return this;
  }

  public DeviceSampleBuilder clockSmMhz(Integer clockSmMhz) {
    this.clockSmMhz = clockSmMhz;
    return this;
  }

  public DeviceSampleBuilder clockMemMhz(Integer clockMemMhz) {
    this.clockMemMhz = clockMemMhz;
    return this;
  }

  public DeviceSampleBuilder fanPct(Integer fanPct) {
    this.fanPct = fanPct;
    return this;
  }

  public DeviceSampleBuilder throttleReasons(Long throttleReasons) {
    this.throttleReasons = throttleReasons;
    return this;
  }

  public DeviceSampleBuilder eccUncorrected(Long eccUncorrected) {
    this.eccUncorrected = eccUncorrected;
    return this;
  }

  public DeviceSampleBuilder processes(List<DeviceProcess> processes) {
    this.processes = processes;
    return this;
  }

  public DeviceSampleBuilder health(DeviceHealth health) {
    this.health = health;
    return this;
  }

  /** Records that a driver function gave no value, with the name of its return code. */
  public DeviceSampleBuilder error(String function, String code) {
    if (errors.isEmpty()) {
      errors = new HashMap<>();
    }
    errors.put(function, code);
    return this;
  }

  public DeviceSample build() {
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
        processes,
        health,
        errors);
  }
}
