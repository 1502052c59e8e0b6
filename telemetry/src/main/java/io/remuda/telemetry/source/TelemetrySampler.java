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
 * Reads one node on time, whatever its GPU driver does.
 *
 * <p><b>Threads.</b> One daemon thread reads the {@link DeviceSource}; the thread that calls {@link
 * #sample} only waits for it, and never longer than the deadline. NVML calls serialise in the
 * driver, so a pool would gain nothing.
 *
 * <p><b>A driver that hangs.</b> Each device is published as soon as it has been read. When the
 * thread has been inside one device for half the deadline or more at the deadline, that device is
 * suspect, and <em>one</em> replacement thread reads the others from the next sample on. No second
 * thread enters the suspect device, there is never a third thread, and none is started while the
 * driver as a whole hangs (while it is opened again, say). When the stuck thread comes back, one of
 * the two ends.
 *
 * <p><b>A driver that is slow.</b> A device that overran is read after all others, so that it
 * cannot starve them. A value that comes late is reported with the next sample; one that took more
 * than four deadlines is dropped as too old.
 *
 * <p>What is not read in time is reported STALE, without readings.
 */
public final class TelemetrySampler implements AutoCloseable {
  private final DeviceSource devices;
  private final HostSource host;
  private final long deadlineNanos;
  private final String node;
  private final Clock clock;

  /** Held by the caller of sample; never by a reader. */
  private final Object turn = new Object();

  /** Guards the readers and all below. */
  private final Object lock = new Object();

  private final Map<DeviceId, DeviceSample> published = new HashMap<>();
  private final ReaderPair readers;
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
    this.readers = new ReaderPair(lock, devices, published, deadlineNanos, node);
  }

  /**
   * Starts the reading thread.
   *
   * @param devices read only by this sampler from now on, and closed by it
   * @param deadline how long {@link #sample} may wait for the devices
   * @param node name of the node, as it appears in the samples
   */
  public static TelemetrySampler start(
      DeviceSource devices, HostSource host, Duration deadline, String node) {
    return start(devices, host, deadline, node, Clock.systemUTC());
  }

  /** As {@link #start(DeviceSource, HostSource, Duration, String)}, with the time stamps' clock. */
  public static TelemetrySampler start(
      DeviceSource devices, HostSource host, Duration deadline, String node, Clock clock) {
    TelemetrySampler sampler = new TelemetrySampler(devices, host, deadline, node, clock);
    sampler.readers.start();
    return sampler;
  }

  /** The devices known so far; answers at once. */
  public List<DeviceInfo> inventory() {
    return devices.inventory();
  }

  /** Asks for process lists with the next sample, as after the start or end of a job. */
  public void refreshProcesses() {
    devices.refreshProcesses();
  }

  /** As {@link DeviceSource#memoryUsed}; it may wait for the driver as long as that likes. */
  public OptionalLong memoryUsed(DeviceId device) {
    return devices.memoryUsed(device);
  }

  /**
   * Reads the machine and its devices. Waits for the devices until the deadline at most; one caller
   * at a time, a second one waits for the first. An interrupt ends the wait early, as the deadline
   * would, and stays set.
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
   * Ends the reading thread, which closes the source; waits for that until the deadline at most. A
   * thread stuck in the driver closes the source when it comes back. Samples taken afterwards have
   * only STALE devices.
   */
  @Override
  public void close() {
    readers.close();
  }
}
