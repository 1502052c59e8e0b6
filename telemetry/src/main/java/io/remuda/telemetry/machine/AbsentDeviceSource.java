package io.remuda.telemetry.machine;

import io.remuda.telemetry.model.DeviceInfo;
import io.remuda.telemetry.model.DeviceSample;
import io.remuda.telemetry.source.DeviceSource;
import java.util.List;

/** A source without devices; its description states the reason. */
record AbsentDeviceSource(String description) implements DeviceSource {
  @Override
  public List<DeviceInfo> inventory() {
    return List.of();
  }

  @Override
  public List<DeviceSample> sample() {
    return List.of();
  }

  @Override
  public void close() {}
}
