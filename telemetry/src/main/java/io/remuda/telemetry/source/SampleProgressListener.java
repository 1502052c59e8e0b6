package io.remuda.telemetry.source;

import io.remuda.telemetry.model.DeviceId;
import io.remuda.telemetry.model.DeviceSample;
import java.util.function.Consumer;

/** Receives a {@link DeviceSource}'s progress from device to device, on the reading thread. */
public interface SampleProgressListener {
  /**
   * Announces that the next driver call reads this device.
   *
   * @return false to skip the device
   */
  boolean starting(DeviceId id);

  /** Receives the sample of the device that was started. */
  void sampled(DeviceSample sample);

  /** Returns a progress that skips no device and passes each sample to {@code samples}. */
  static SampleProgressListener collecting(Consumer<DeviceSample> samples) {
    return new SampleProgressListener() {
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
