package io.remuda.telemetry.source;

import io.remuda.telemetry.model.DeviceId;
import io.remuda.telemetry.model.DeviceInfo;
import io.remuda.telemetry.model.DeviceSample;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * A source of device readings.
 *
 * <p>Reading may block indefinitely in a driver, so it belongs on the thread of a {@link
 * TelemetrySampler}. At most one thread reads at a time, with one exception: a second thread may
 * read while the first is inside a device, that is, after {@link SampleProgressListener#starting}
 * returned true; it skips that device. The other methods may be called from any thread.
 */
public interface DeviceSource extends AutoCloseable {
  /** Returns the devices known so far, in a stable order, without a driver call. */
  List<DeviceInfo> inventory();

  /** Reads every device once; returns one sample per device of the inventory, in its order. */
  List<DeviceSample> sample();

  /**
   * Reads device by device and reports each step, so that a slow device does not delay the readings
   * of the others. The default reads all devices in one step.
   */
  default void sampleEach(SampleProgressListener progress) {
    sample().forEach(progress::sampled);
  }

  /** Requests process lists with the next sample, for example after a job started or ended. */
  default void refreshProcesses() {}

  /**
   * Reads how many bytes of a device's memory are in use; used to measure a running task. There is
   * no rate limit. One thread may call this while others take samples.
   *
   * @return empty if the value cannot be read at all or at the moment
   */
  default OptionalLong memoryUsed(DeviceId device) {
    return OptionalLong.empty();
  }

  /** Returns where the readings come from, or why there are none, as text for users. */
  String description();

  /**
   * Closes the source without waiting for a reader; afterwards nothing is read. A second call has
   * no effect.
   */
  @Override
  void close();

  /** Returns all samples of one {@link #sampleEach}. */
  static List<DeviceSample> all(DeviceSource source) {
    List<DeviceSample> samples = new ArrayList<>();
    source.sampleEach(SampleProgressListener.collecting(samples::add));
    return samples;
  }
}
