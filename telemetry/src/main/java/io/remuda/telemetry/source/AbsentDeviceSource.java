package io.remuda.telemetry.source;

import io.remuda.telemetry.model.DeviceInfo;
import io.remuda.telemetry.model.DeviceSample;
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
