package io.remuda.telemetry.simulated;

import io.remuda.telemetry.model.DeviceHealth;
import io.remuda.telemetry.model.DeviceInfo;
import io.remuda.telemetry.model.DeviceSample;
import io.remuda.telemetry.model.DeviceSampleBuilder;
import java.util.List;

/**
 * Readings as a pure function of machine, device and tick (one tick is one second): the load
 * follows a slow wave with some noise; power, temperature, clocks and memory follow the load.
 */
final class SimulatedReadings {
  private static final int SECONDS_PER_WAVE = 120;
  private static final long RESERVED_BYTES = 512L << 20;
  private static final int IDLE_TEMPERATURE = 30;

  private final SimulatedMachine machine;

  SimulatedReadings(SimulatedMachine machine) {
    this.machine = machine;
  }

  DeviceSample at(DeviceInfo device, long tick) {
    DeviceHealth health = health(device.index(), tick);
    DeviceSampleBuilder sample = DeviceSampleBuilder.of(device).health(health);
    if (health == DeviceHealth.LOST || health == DeviceHealth.STALE) {
      return sample.error("simulated", health.name()).build();
    }
    GpuModel model = machine.gpus().get(device.index());
    double load = load(device, tick);
    memory(sample, model, load);
    sample.utilGpu((int) Math.round(100 * load)).utilMem((int) Math.round(60 * load));
    sample.tempC(IDLE_TEMPERATURE + (int) Math.round(45 * load));
    sample.powerMw(powerMw(model, load)).powerLimitMw(model.powerLimitMw());
    sample.energyMj(energyMj(model, tick));
    sample.clockSmMhz((int) (model.clockSmMhz() * (0.3 + 0.7 * load)));
    sample.clockMemMhz(model.clockMemMhz()).throttleReasons(load == 0 ? 1L : 0L);
    sample.eccUncorrected(0L).processes(List.of());
    return fan(sample, model, load).build();
  }

  private static DeviceSampleBuilder fan(DeviceSampleBuilder sample, GpuModel model, double load) {
    return model.cooling() == GpuModel.Cooling.FAN
        ? sample.fanPct(30 + (int) (50 * load))
        : sample.error("nvmlDeviceGetFanSpeed", "NOT_SUPPORTED");
  }

  private void memory(DeviceSampleBuilder sample, GpuModel model, double load) {
    long usable = model.memoryBytes() - RESERVED_BYTES;
    long used = (long) (usable * machine.memoryShare() * load);
    sample.memTotal(model.memoryBytes()).memReserved(RESERVED_BYTES);
    sample.memUsed(used).memFree(usable - used);
  }

  private DeviceHealth health(int index, long tick) {
    return machine.faults().stream()
        .filter(fault -> fault.holds(index, tick))
        .map(SimulatedFault::health)
        .max(DeviceHealth::compareTo)
        .orElse(DeviceHealth.OK);
  }

  private static int powerMw(GpuModel model, double load) {
    return (int) (model.powerLimitMw() * (0.12 + 0.83 * load));
  }

  /**
   * Returns the energy counter: mean power times ticks, so that no state of earlier ticks is
   * needed. It starts at 0, as after a driver load, so that the first reading of a new agent does
   * not count as consumption.
   */
  private static long energyMj(GpuModel model, long tick) {
    return tick * powerMw(model, 0.5);
  }

  private static double load(DeviceInfo device, long tick) {
    long seed = mix(device.id().uuid().hashCode());
    double phase = Math.floorMod(seed, 1000) / 1000.0;
    double wave = 0.5 + 0.45 * Math.sin(2 * Math.PI * ((double) tick / SECONDS_PER_WAVE + phase));
    double noise = (Math.floorMod(mix(seed + tick), 1001) / 1000.0 - 0.5) * 0.1;
    return Math.max(0, Math.min(1, wave + noise));
  }

  /**
   * Mixes bits with the finaliser of SplitMix64, which spreads neighbouring numbers over all 64
   * bits.
   */
  private static long mix(long value) {
    long z = value + 0x9e3779b97f4a7c15L;
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }
}
