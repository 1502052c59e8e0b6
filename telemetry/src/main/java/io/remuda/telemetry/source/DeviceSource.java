package io.remuda.telemetry.source;

import io.remuda.telemetry.model.DeviceId;
import io.remuda.telemetry.model.DeviceInfo;
import io.remuda.telemetry.model.DeviceSample;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * An origin of device readings.
 *
 * <p>Reading may block for as long as a driver likes, so it belongs on the thread of a {@link
 * TelemetrySampler}. At most one thread reads, except that a second may enter while the first is
 * inside one device ({@link SampleProgress#starting} was answered) and skips that device. The other
 * methods may be called from any thread.
 */
public interface DeviceSource extends AutoCloseable {
  /** The devices known so far, in a stable order; answers at once, without asking a driver. */
  List<DeviceInfo> inventory();

  /** Reads every device once: one sample for each device of the inventory, in its order. */
  List<DeviceSample> sample();

  /**
   * Reads device by device and tells each step, so that a slow device does not hold back the
   * readings of the others. By default all are read in one step.
   */
  default void sampleEach(SampleProgress progress) {
    sample().forEach(progress::sampled);
  }

  /** Asks for process lists with the next sample, as after the start or end of a job. */
  default void refreshProcesses() {}

  /**
   * Reads just how much memory of a device is in use, in bytes, as often as somebody likes: for a
   * task that is being measured. One thread may do so besides those that read samples.
   *
   * @return nothing where that cannot be read, or not at this moment
   */
  default OptionalLong memoryUsed(DeviceId device) {
    return OptionalLong.empty();
  }

  /** Where the readings come from or why there are none, in a sentence for people. */
  String description();

  /**
   * Releases the origin and returns at once; afterwards nothing is read. A second call does
   * nothing.
   */
  @Override
  void close();

  /** All samples of one {@link #sampleEach}. */
  static List<DeviceSample> all(DeviceSource source) {
    List<DeviceSample> samples = new ArrayList<>();
    source.sampleEach(SampleProgress.collecting(samples::add));
    return samples;
  }
}
