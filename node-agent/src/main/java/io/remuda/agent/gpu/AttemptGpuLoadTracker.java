package io.remuda.agent.gpu;

import io.remuda.agent.protocol.AttemptGpuUtilization;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.telemetry.model.DeviceProcess;
import io.remuda.telemetry.model.DeviceSample;
import io.remuda.worker.job.AttemptId;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * How busy attempts keep their devices. If the driver tells the utilisation of each process, that
 * of the attempt's processes counts; otherwise that of the device, but only while no other attempt
 * has a part of it. One thread.
 */
final class AttemptGpuLoadTracker {

  private static final int MOST_PERCENT = 100;

  /** What was seen of an attempt; each sample is weighted with the time before it. */
  private static final class SeenLoad {
    private final Set<DeviceId> devices;
    private long sum;
    private long millis;
    private int most;
    private Long memoryBytes;

    SeenLoad(Collection<DeviceId> devices) {
      this.devices = Set.copyOf(devices);
    }

    void add(int percent, long since) {
      sum += percent * since;
      millis += since;
      most = Math.max(most, percent);
    }

    void sized(Long bytes) {
      if (bytes != null) {
        memoryBytes = memoryBytes == null ? bytes : Math.min(memoryBytes, bytes);
      }
    }

    AttemptGpuUtilization load() {
      return millis == 0
          ? new AttemptGpuUtilization(null, null, memoryBytes)
          : new AttemptGpuUtilization((int) Math.round((double) sum / millis), most, memoryBytes);
    }
  }

  private final Map<AttemptId, SeenLoad> seen = new HashMap<>();

  /** Begins to look at an attempt; does nothing for one without devices. */
  void begins(AttemptId attempt, Collection<DeviceId> devices) {
    if (!devices.isEmpty()) {
      seen.putIfAbsent(attempt, new SeenLoad(devices));
    }
  }

  /**
   * Evaluates a device's sample.
   *
   * @param since milliseconds that it stands for
   */
  void sampled(DeviceSample device, long since) {
    List<Map.Entry<AttemptId, SeenLoad>> holders =
        seen.entrySet().stream()
            .filter(one -> one.getValue().devices.contains(device.id()))
            .toList();
    for (Map.Entry<AttemptId, SeenLoad> one : holders) {
      one.getValue().sized(device.memTotal());
      Integer own = ofProcesses(device, one.getKey());
      Integer percent = own == null && holders.size() == 1 ? device.utilGpu() : own;
      if (percent != null) {
        one.getValue().add(percent, since);
      }
    }
  }

  /** Returns the utilisation by an attempt's processes; null if the driver does not tell it. */
  private static Integer ofProcesses(DeviceSample device, AttemptId attempt) {
    if (device.processes() == null
        || device.processes().stream().noneMatch(process -> process.utilGpu() != null)) {
      return null;
    }
    String task = attempt.toString();
    int sum = 0;
    for (DeviceProcess process : device.processes()) {
      sum += task.equals(process.task()) && process.utilGpu() != null ? process.utilGpu() : 0;
    }
    return Math.min(MOST_PERCENT, sum);
  }

  /** Returns what was seen of an attempt so far; empty for one without devices. */
  Optional<AttemptGpuUtilization> soFar(AttemptId attempt) {
    return Optional.ofNullable(seen.get(attempt)).map(SeenLoad::load);
  }

  /** Forgets an attempt that has ended; returns what was seen of it. */
  Optional<AttemptGpuUtilization> ended(AttemptId attempt) {
    return Optional.ofNullable(seen.remove(attempt)).map(SeenLoad::load);
  }
}
