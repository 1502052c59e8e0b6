package io.remuda.agent.actor;

import io.remuda.agent.protocol.TaskEnd.GpuUse;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.telemetry.model.DeviceProcess;
import io.remuda.telemetry.model.DeviceSample;
import io.remuda.telemetry.model.NodeSample;
import io.remuda.worker.job.AttemptId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The most memory that each attempt was seen to use of a device. Of one that shares its devices
 * that is the memory of its processes, as of each sample. One that has its devices for itself, to
 * be measured, is looked at every {@value #STEP_MILLIS} ms: what such a device has in use, less the
 * least that it had in use meanwhile, which belongs to others. One thread, besides its own.
 */
final class GpuMeter {

  static final int STEP_MILLIS = 10;

  /** A sample says nothing of what was longer ago. */
  private static final long LONGEST_MILLIS = 2000;

  private static final Logger LOG = LoggerFactory.getLogger(GpuMeter.class);

  /** A device that one attempt has for itself. */
  private static final class MeteredDevice {
    private final DeviceId device;
    private long least = Long.MAX_VALUE;
    private long most = Long.MIN_VALUE;

    MeteredDevice(DeviceId device) {
      this.device = device;
    }

    synchronized void saw(long used) {
      least = Math.min(least, used);
      most = Math.max(most, used);
    }

    synchronized OptionalLong peak() {
      return most < least ? OptionalLong.empty() : OptionalLong.of(most - least);
    }
  }

  /** The utilisation of an attempt's devices in percent, each sample for the time before it. */
  private static final class Utilisation {
    private long sum;
    private long millis;
  }

  private final Function<DeviceId, OptionalLong> memoryUsed;
  private final Map<AttemptId, List<MeteredDevice>> watched = new ConcurrentHashMap<>();
  private final Map<AttemptId, Utilisation> utilisations = new HashMap<>();
  private final Map<AttemptId, Long> shares = new HashMap<>();
  private final ScheduledExecutorService clock =
      Executors.newSingleThreadScheduledExecutor(GpuMeter::daemon);
  private Future<?> watch;
  private long sampledAt;

  /**
   * Nothing is measured yet.
   *
   * @param memoryUsed reads a device's memory in use in bytes, on a thread of its own, which may
   *     have to wait for the driver
   */
  GpuMeter(Function<DeviceId, OptionalLong> memoryUsed) {
    this.memoryUsed = memoryUsed;
  }

  private static Thread daemon(Runnable work) {
    Thread thread = new Thread(work, "gpu-meter");
    thread.setDaemon(true);
    return thread;
  }

  /** Looks closely at an attempt that is about to start and has these devices for itself. */
  void watch(AttemptId attempt, List<DeviceId> devices) {
    watched.put(attempt, devices.stream().map(MeteredDevice::new).toList());
    utilisations.put(attempt, new Utilisation());
    if (watch == null) {
      watch = clock.scheduleWithFixedDelay(this::look, 0, STEP_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  private void look() {
    for (List<MeteredDevice> devices : watched.values()) {
      for (MeteredDevice one : devices) {
        try {
          memoryUsed.apply(one.device).ifPresent(one::saw);
        } catch (RuntimeException fault) {
          LOG.warn("the memory of {} cannot be read: {}", one.device, fault.toString());
        }
      }
    }
  }

  /**
   * Takes in a sample, in which the processes of tasks are named.
   *
   * @param runs whether an attempt is one of those that run here; others count no longer
   */
  void sampled(NodeSample sample, Predicate<AttemptId> runs) {
    long since = Math.max(1, Math.min(LONGEST_MILLIS, sample.atEpochMillis() - sampledAt));
    sampledAt = sample.atEpochMillis();
    for (DeviceSample device : sample.devices()) {
      Map<AttemptId, Long> bytes = sharesOf(device);
      bytes.keySet().removeIf(runs.negate());
      bytes.forEach((attempt, used) -> shares.merge(attempt, used, Math::max));
      if (device.utilGpu() != null) {
        utilisations.forEach((attempt, all) -> add(attempt, device, since, all));
      }
    }
  }

  private static Map<AttemptId, Long> sharesOf(DeviceSample device) {
    Map<AttemptId, Long> bytes = new HashMap<>();
    if (device.processes() != null) {
      for (DeviceProcess process : device.processes()) {
        if (process.task() != null && process.memBytes() != null) {
          bytes.merge(AttemptId.parse(process.task()), process.memBytes(), Long::sum);
        }
      }
    }
    return bytes;
  }

  private void add(AttemptId attempt, DeviceSample device, long since, Utilisation all) {
    if (watched.get(attempt).stream().anyMatch(one -> one.device.equals(device.id()))) {
      all.sum += device.utilGpu() * since;
      all.millis += since;
    }
  }

  /** What an attempt that has ended had used; nothing if it was not seen to use a device. */
  Optional<GpuUse> ended(AttemptId attempt) {
    List<Long> peaks = new ArrayList<>();
    Long share = shares.remove(attempt);
    if (share != null) {
      peaks.add(share);
    }
    List<MeteredDevice> devices = watched.remove(attempt);
    if (devices != null) {
      devices.forEach(one -> one.peak().ifPresent(peaks::add));
    }
    if (watch != null && watched.isEmpty()) {
      watch.cancel(false);
      watch = null;
    }
    Utilisation all = utilisations.remove(attempt);
    Integer percent = all == null || all.millis == 0 ? null : (int) (all.sum / all.millis);
    return peaks.stream().max(Long::compare).map(peak -> new GpuUse(peak, percent));
  }

  /** Reads nothing any more. */
  void close() {
    clock.shutdownNow();
  }

  /** Whether processes of tasks should be looked for in each sample. */
  boolean isBusy() {
    return !watched.isEmpty() || !shares.isEmpty();
  }
}
