package io.remuda.agent.gpu;

import io.remuda.agent.protocol.TaskEnd.GpuUse;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.telemetry.model.DeviceProcess;
import io.remuda.telemetry.model.DeviceSample;
import io.remuda.telemetry.model.NodeSample;
import io.remuda.telemetry.source.TelemetrySampler;
import io.remuda.thread.DaemonThread;
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
 * Measures the peak device memory of each attempt. For an attempt that shares its devices, it is
 * the memory of its processes in each sample. For an attempt that is measured on devices of its
 * own, the device is read every {@value #STEP_MILLIS} ms: its memory in use, minus the minimum seen
 * meanwhile, which belongs to others. Used by one thread, besides its own timer thread.
 */
public final class GpuMeter {

  static final int STEP_MILLIS = 10;

  /** Maximum time before a sample for which its utilisation counts. */
  private static final long LONGEST_MILLIS = 2000;

  private static final Logger LOG = LoggerFactory.getLogger(GpuMeter.class);

  /** A device that one attempt has exclusively. */
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

  /**
   * Utilisation of an attempt's devices in percent; each sample is weighted with the time before
   * it.
   */
  private static final class Utilisation {
    private long sum;
    private long millis;
  }

  private final Function<DeviceId, OptionalLong> memoryUsed;
  private final Map<AttemptId, List<MeteredDevice>> watched = new ConcurrentHashMap<>();
  private final Map<AttemptId, Utilisation> utilisations = new HashMap<>();
  private final Map<AttemptId, Long> shares = new HashMap<>();
  private final AttemptGpuLoadTracker loads = new AttemptGpuLoadTracker();
  private final ScheduledExecutorService clock =
      Executors.newSingleThreadScheduledExecutor(work -> DaemonThread.of("gpu-meter", work));
  private Future<?> watch;
  private long sampledAt;

  /**
   * @param memoryUsed reads a device's memory in use in bytes; called on the timer thread, may wait
   *     for the driver
   */
  public GpuMeter(Function<DeviceId, OptionalLong> memoryUsed) {
    this.memoryUsed = memoryUsed;
  }

  /** Creates a meter of the devices of this node. */
  public static GpuMeter of(TelemetrySampler sampler) {
    return new GpuMeter(sampler::memoryUsed);
  }

  /** Starts measuring an attempt that is about to start and has these devices exclusively. */
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
   * Evaluates a sample in which processes have their tasks.
   *
   * @param runs whether an attempt runs here; others are ignored
   */
  void sampled(NodeSample sample, Predicate<AttemptId> runs) {
    long since = Math.max(1, Math.min(LONGEST_MILLIS, sample.atEpochMillis() - sampledAt));
    sampledAt = sample.atEpochMillis();
    for (DeviceSample device : sample.devices()) {
      Map<AttemptId, Long> bytes = sharesOf(device);
      bytes.keySet().removeIf(runs.negate());
      bytes.forEach((attempt, used) -> shares.merge(attempt, used, Math::max));
      loads.sampled(device, since);
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

  /** Returns what an attempt has used so far, empty if no use was seen. */
  Optional<GpuUse> soFar(AttemptId attempt) {
    List<Long> peaks = new ArrayList<>();
    if (shares.containsKey(attempt)) {
      peaks.add(shares.get(attempt));
    }
    watched.getOrDefault(attempt, List.of()).forEach(one -> one.peak().ifPresent(peaks::add));
    Utilisation all = utilisations.get(attempt);
    Integer percent = all == null || all.millis == 0 ? null : (int) (all.sum / all.millis);
    return peaks.stream().max(Long::compare).map(peak -> new GpuUse(peak, percent));
  }

  /** Stops measuring an attempt that has ended; returns what it used, empty if no use was seen. */
  Optional<GpuUse> ended(AttemptId attempt) {
    final Optional<GpuUse> use = soFar(attempt);
    shares.remove(attempt);
    watched.remove(attempt);
    utilisations.remove(attempt);
    if (watch != null && watched.isEmpty()) {
      watch.cancel(false);
      watch = null;
    }
    return use;
  }

  /** Returns how busy attempts keep their devices, for the same samples. */
  AttemptGpuLoadTracker loads() {
    return loads;
  }

  /** Stops the timer thread. */
  void close() {
    clock.shutdownNow();
  }

  /** Returns whether samples should list the processes of tasks. */
  boolean isBusy() {
    return !watched.isEmpty() || !shares.isEmpty();
  }
}
