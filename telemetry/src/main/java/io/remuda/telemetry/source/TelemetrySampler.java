package io.remuda.telemetry.source;

import io.remuda.telemetry.model.DeviceId;
import io.remuda.telemetry.model.DeviceInfo;
import io.remuda.telemetry.model.DeviceSample;
import io.remuda.telemetry.model.NodeSample;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * Samples one node within a deadline, even if its GPU driver hangs.
 *
 * <p><b>Threads.</b> One daemon thread reads the {@link DeviceSource}; the thread that calls {@link
 * #sample} only waits for it, at most until the deadline. NVML calls serialise in the driver, so a
 * pool would gain nothing.
 *
 * <p><b>A driver that hangs.</b> Each device is published as soon as it has been read. A device
 * that the thread has been inside for half the deadline or more when the deadline passes is
 * suspect, and <em>one</em> replacement thread reads the other devices from the next sample on. No
 * second thread enters the suspect device, there is never a third thread, and none is started while
 * the driver as a whole hangs, for example while it is reopened. When the stuck thread returns, one
 * of the two ends.
 *
 * <p><b>A driver that is slow.</b> A device that overran is read after all others, so that it
 * cannot starve them. A late value is reported with the next sample; a reading that took more than
 * four deadlines is dropped as outdated.
 *
 * <p>A device that is not read in time is reported STALE, without readings.
 */
public final class TelemetrySampler implements AutoCloseable {
  private final DeviceSource devices;
  private final HostSource host;
  private final long deadlineNanos;
  private final String node;
  private final Clock clock;

  /** Serialises callers of {@link #sample}; readers never hold it. */
  private final Object turn = new Object();

  /** Guards the readers and all fields below. */
  private final Object lock = new Object();

  private final Map<DeviceId, DeviceSample> published = new HashMap<>();
  private final ReplaceableReaderThread readers;
  private long sequence;

  private TelemetrySampler(
      DeviceSource devices, HostSource host, Duration deadline, String node, Clock clock) {
    this.devices = Objects.requireNonNull(devices, "devices");
    this.host = Objects.requireNonNull(host, "host");
    this.node = Objects.requireNonNull(node, "node");
    this.clock = Objects.requireNonNull(clock, "clock");
    if (deadline.isNegative() || deadline.isZero()) {
      throw new IllegalArgumentException("deadline must be above 0 but is " + deadline);
    }
    this.deadlineNanos = deadline.toNanos();
    this.readers = new ReplaceableReaderThread(lock, devices, published, deadlineNanos, node);
  }

  /**
   * Starts the reading thread.
   *
   * @param devices from now on read only by this sampler, which closes it
   * @param deadline how long {@link #sample} may wait for the devices
   * @param node name of the node, as it appears in the samples
   */
  public static TelemetrySampler start(
      DeviceSource devices, HostSource host, Duration deadline, String node) {
    return start(devices, host, deadline, node, Clock.systemUTC());
  }

  /** Starts the reading thread, with a clock for the timestamps of the samples. */
  public static TelemetrySampler start(
      DeviceSource devices, HostSource host, Duration deadline, String node, Clock clock) {
    TelemetrySampler sampler = new TelemetrySampler(devices, host, deadline, node, clock);
    sampler.readers.start();
    return sampler;
  }

  /** Returns the devices known so far, without a driver call. */
  public List<DeviceInfo> inventory() {
    return devices.inventory();
  }

  /** Requests process lists with the next sample, for example after a job started or ended. */
  public void refreshProcesses() {
    devices.refreshProcesses();
  }

  /**
   * Reads memory in use as {@link DeviceSource#memoryUsed} does; may block in the driver
   * indefinitely.
   */
  public OptionalLong memoryUsed(DeviceId device) {
    return devices.memoryUsed(device);
  }

  /**
   * Reads the machine and its devices, waiting for the devices at most until the deadline.
   * Concurrent callers run one after the other. An interrupt ends the wait early, like the
   * deadline, and the interrupt flag stays set.
   */
  public NodeSample sample() {
    synchronized (turn) {
      Map<DeviceId, DeviceSample> fresh = readDevices();
      List<DeviceSample> samples = new ArrayList<>();
      for (DeviceInfo device : devices.inventory()) {
        DeviceSample sample = fresh.get(device.id());
        samples.add(sample != null ? sample : DeviceSample.stale(device, "watchdog", "TIMEOUT"));
      }
      return new NodeSample(node, ++sequence, clock.millis(), host.sample(), samples);
    }
  }

  private Map<DeviceId, DeviceSample> readDevices() {
    synchronized (lock) {
      readers.request();
      if (!awaitRound()) {
        readers.overrun();
      }
      Map<DeviceId, DeviceSample> fresh = new HashMap<>(published);
      published.clear();
      return fresh;
    }
  }

  private boolean awaitRound() {
    long end = System.nanoTime() + deadlineNanos;
    while (readers.worthWaiting()) {
      long left = end - System.nanoTime();
      if (left <= 0) {
        return false;
      }
      try {
        TimeUnit.NANOSECONDS.timedWait(lock, left);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return false;
      }
    }
    return true;
  }

  /**
   * Stops the reading thread, which closes the source, and waits for that at most until the
   * deadline. A thread stuck in the driver closes the source when it returns. In samples taken
   * afterwards all devices are STALE.
   */
  @Override
  public void close() {
    readers.close();
  }
}
