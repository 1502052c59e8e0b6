package io.remuda.telemetry.simulated;

import io.remuda.telemetry.model.DeviceId;
import io.remuda.telemetry.model.DeviceInfo;
import io.remuda.telemetry.model.DeviceSample;
import io.remuda.telemetry.source.DeviceSource;
import io.remuda.telemetry.source.SampleProgressListener;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;

/** The devices of a simulated machine. Each reading of all devices is one tick, counted from 0. */
public final class SimulatedDeviceSource implements DeviceSource {
  private final SimulatedMachine machine;
  private final List<DeviceInfo> inventory;
  private final SimulatedReadings readings;
  private final AtomicLong ticks = new AtomicLong();
  private volatile boolean closed;

  public SimulatedDeviceSource(SimulatedMachine machine) {
    this.machine = machine;
    this.inventory = machine.inventory();
    this.readings = new SimulatedReadings(machine);
  }

  @Override
  public List<DeviceInfo> inventory() {
    return inventory;
  }

  @Override
  public List<DeviceSample> sample() {
    return DeviceSource.all(this);
  }

  @Override
  public void sampleEach(SampleProgressListener progress) {
    long tick = ticks.getAndIncrement();
    for (DeviceInfo device : inventory) {
      if (progress.starting(device.id())) {
        progress.sampled(
            closed ? DeviceSample.stale(device, "simulated", "CLOSED") : readings.at(device, tick));
      }
    }
  }

  /** Returns the memory in use at the tick of the next sample. */
  @Override
  public OptionalLong memoryUsed(DeviceId id) {
    for (DeviceInfo device : inventory) {
      Long used = device.id().equals(id) ? readings.at(device, ticks.get()).memUsed() : null;
      if (used != null && !closed) {
        return OptionalLong.of(used);
      }
    }
    return OptionalLong.empty();
  }

  @Override
  public String description() {
    return "simulated machine '" + machine.seed() + "', " + inventory.size() + " device(s)";
  }

  @Override
  public void close() {
    closed = true;
  }
}
