package io.remuda.telemetry.machine;

import io.remuda.telemetry.model.DeviceId;
import io.remuda.telemetry.model.DeviceInfo;
import io.remuda.telemetry.model.DeviceSample;
import io.remuda.telemetry.source.DeviceSource;
import io.remuda.telemetry.source.SampleProgressListener;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/**
 * Several device sources as one, such as the drivers of two vendors. They are read one after the
 * other.
 */
final class CombinedDeviceSource implements DeviceSource {

  private final List<DeviceSource> sources;

  CombinedDeviceSource(List<DeviceSource> sources) {
    this.sources = List.copyOf(sources);
  }

  @Override
  public List<DeviceInfo> inventory() {
    return sources.stream().flatMap(source -> source.inventory().stream()).toList();
  }

  @Override
  public List<DeviceSample> sample() {
    return DeviceSource.all(this);
  }

  @Override
  public void sampleEach(SampleProgressListener progress) {
    sources.forEach(source -> source.sampleEach(progress));
  }

  @Override
  public void refreshProcesses() {
    sources.forEach(DeviceSource::refreshProcesses);
  }

  @Override
  public OptionalLong memoryUsed(DeviceId device) {
    return sources.stream()
        .map(source -> source.memoryUsed(device))
        .filter(OptionalLong::isPresent)
        .findFirst()
        .orElse(OptionalLong.empty());
  }

  @Override
  public String description() {
    return sources.stream().map(DeviceSource::description).collect(Collectors.joining("; "));
  }

  @Override
  public void close() {
    sources.forEach(DeviceSource::close);
  }
}
