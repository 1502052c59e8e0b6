package io.remuda.telemetry.machine;

import io.remuda.telemetry.model.DeviceId;
import io.remuda.telemetry.model.DeviceInfo;
import io.remuda.telemetry.model.DeviceSample;
import io.remuda.telemetry.source.DeviceSource;
import io.remuda.telemetry.source.SampleProgressListener;
import java.util.List;
import java.util.OptionalLong;

/** The devices of another source without their ordinals, so that only UUIDs name them. */
public final class UncountedDeviceSource implements DeviceSource {

  private final DeviceSource devices;

  /** Closes {@code devices} when it is closed. */
  public UncountedDeviceSource(DeviceSource devices) {
    this.devices = devices;
  }

  @Override
  public List<DeviceInfo> inventory() {
    return devices.inventory().stream().map(device -> device.withOrdinal(null)).toList();
  }

  @Override
  public List<DeviceSample> sample() {
    return devices.sample();
  }

  @Override
  public void sampleEach(SampleProgressListener progress) {
    devices.sampleEach(progress);
  }

  @Override
  public void refreshProcesses() {
    devices.refreshProcesses();
  }

  @Override
  public OptionalLong memoryUsed(DeviceId device) {
    return devices.memoryUsed(device);
  }

  @Override
  public String description() {
    return devices.description();
  }

  @Override
  public void close() {
    devices.close();
  }
}
