package io.remuda.telemetry.source;

import io.remuda.telemetry.model.DeviceId;
import io.remuda.telemetry.model.DeviceSample;
import java.util.function.Consumer;

/** Told by a {@link DeviceSource} which device it reads; called on the reading thread. */
public interface SampleProgress {
  /**
   * The next call of the driver concerns this device.
   *
   * @return false to skip the device
   */
  boolean starting(DeviceId id);

  /** The device that was started has been read. */
  void sampled(DeviceSample sample);

  /** Reads every device and hands on its sample. */
  static SampleProgress collecting(Consumer<DeviceSample> samples) {
    return new SampleProgress() {
      @Override
      public boolean starting(DeviceId id) {
        return true;
      }

      @Override
      public void sampled(DeviceSample sample) {
        samples.accept(sample);
      }
    };
  }
}
