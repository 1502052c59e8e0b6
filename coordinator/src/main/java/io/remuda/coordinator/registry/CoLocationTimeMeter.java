package io.remuda.coordinator.registry;

import io.remuda.coordinator.profile.JobType;
import io.remuda.coordinator.profile.PairSpeeds;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.TaskId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Measures how long tasks that share devices run alone and beside other tasks, from the time at
 * which they are seen running. Times are nanoseconds of one monotonic clock. Single-threaded.
 */
final class CoLocationTimeMeter {

  /** Maximum relative difference between the times here and the duration that the node reports. */
  private static final double AGREEMENT = 0.1;

  /** Part of an epoch that counts as all of it. */
  private static final double NEARLY_ALL = 0.9;

  private static final double NANOS_PER_MILLI = 1e6;

  /**
   * The running time of a task, in nanoseconds.
   *
   * @param alone without other tasks on its devices
   * @param beside by type, with one other task of this type on exactly the same devices
   * @param other with several other tasks, or with one that has no type or other devices
   */
  record SharedTimes(long alone, Map<JobType, Long> beside, long other) {
    SharedTimes {
      beside = Map.copyOf(beside);
    }

    private double total() {
      return alone + other + beside.values().stream().mapToDouble(Long::doubleValue).sum();
    }

    /**
     * Returns the run with these times; empty if they do not match its duration.
     *
     * @param devices models of its devices
     * @param millis its duration, as reported by its node
     */
    Optional<PairSpeeds.Run> run(String devices, long millis) {
      double nanos = millis * NANOS_PER_MILLI;
      if (millis <= 0 || Math.abs(total() - nanos) > AGREEMENT * nanos) {
        return Optional.empty();
      }
      Optional<Map.Entry<JobType, Long>> most =
          beside.entrySet().stream().max(Map.Entry.comparingByValue());
      return Optional.of(
          new PairSpeeds.Run(
              devices,
              millis,
              alone / total(),
              most.map(Map.Entry::getKey).orElse(null),
              most.map(Map.Entry::getValue).orElse(0L) / total(),
              1));
    }
  }

  /** A running task that shares its devices. */
  private static final class SharingTask {
    private final JobType type;
    private final Set<DeviceId> devices;
    private final boolean seenFromStart;
    private final Map<JobType, Long> beside = new HashMap<>();

    /** The times at its last epoch, or at its start; null if it is not known what was before. */
    private SharedTimes atEpoch;

    private long since;
    private long alone;
    private long other;

    SharingTask(JobType type, Collection<DeviceId> devices, boolean seenFromStart, long now) {
      this.type = type;
      this.devices = Set.copyOf(devices);
      this.seenFromStart = seenFromStart;
      this.atEpoch = seenFromStart ? new SharedTimes(0, Map.of(), 0) : null;
      this.since = now;
    }

    private boolean isComparableTo(SharingTask another) {
      return type != null && devices.equals(another.devices);
    }
  }

  private final Map<TaskId, SharingTask> sharing = new HashMap<>();
  private final Map<DeviceId, Set<TaskId>> byDevice = new HashMap<>();

  /**
   * Adds a task that has begun to run, if it is not known yet.
   *
   * @param type or null if it has none
   * @param devices the devices that it shares
   */
  void began(TaskId task, JobType type, Collection<DeviceId> devices, long now) {
    if (!sharing.containsKey(task)) {
      enter(task, new SharingTask(type, devices, true, now), now);
    }
  }

  /** Adds a task that an earlier coordinator has started. It counts for others; it has no times. */
  void found(TaskId task, JobType type, Collection<DeviceId> devices, long now) {
    enter(task, new SharingTask(type, devices, false, now), now);
  }

  private void enter(TaskId task, SharingTask guest, long now) {
    noteAll(guest.devices, now);
    sharing.put(task, guest);
    guest.devices.forEach(
        device -> byDevice.computeIfAbsent(device, id -> new TreeSet<>()).add(task));
  }

  /** Removes a task that no longer runs. */
  void left(TaskId task, long now) {
    SharingTask guest = sharing.get(task);
    if (guest != null) {
      noteAll(guest.devices, now);
      sharing.remove(task);
      guest.devices.forEach(device -> leave(device, task));
    }
  }

  private void leave(DeviceId device, TaskId task) {
    Set<TaskId> others = byDevice.get(device);
    others.remove(task);
    if (others.isEmpty()) {
      byDevice.remove(device);
    }
  }

  /** Returns the times of a running task; empty if its start was not seen. */
  Optional<SharedTimes> of(TaskId task, long now) {
    SharingTask guest = sharing.get(task);
    if (guest == null || !guest.seenFromStart) {
      return Optional.empty();
    }
    note(task, guest, now);
    return Optional.of(new SharedTimes(guest.alone, guest.beside, guest.other));
  }

  /** What was on the devices of a task most of a time. */
  record Company(boolean isAlone, Optional<JobType> type) {
    private static final Company ALONE = new Company(true, Optional.empty());
    private static final Company MIXED = new Company(false, Optional.empty());
  }

  /**
   * Returns which company a task had for nearly all of the time since the last call, or since its
   * start; mixed if another coordinator has seen a part of that. One that does not share its
   * devices is alone.
   */
  Company sinceLastEpoch(TaskId task, long now) {
    SharingTask guest = sharing.get(task);
    if (guest == null) {
      return Company.ALONE;
    }
    note(task, guest, now);
    SharedTimes all = new SharedTimes(guest.alone, guest.beside, guest.other);
    SharedTimes before = guest.atEpoch;
    guest.atEpoch = all;
    if (before == null) {
      return Company.MIXED;
    }
    double total = all.total() - before.total();
    if (all.alone() - before.alone() >= NEARLY_ALL * total) {
      return Company.ALONE;
    }
    return all.beside().entrySet().stream()
        .filter(
            one ->
                one.getValue() - before.beside().getOrDefault(one.getKey(), 0L)
                    >= NEARLY_ALL * total)
        .findFirst()
        .map(one -> new Company(false, Optional.of(one.getKey())))
        .orElse(Company.MIXED);
  }

  private void noteAll(Collection<DeviceId> devices, long now) {
    for (DeviceId device : devices) {
      byDevice.getOrDefault(device, Set.of()).forEach(task -> note(task, sharing.get(task), now));
    }
  }

  /** Credits the time since the last update according to the tasks on the devices. */
  private void note(TaskId task, SharingTask guest, long now) {
    long passed = now - guest.since;
    guest.since = now;
    List<TaskId> others = firstTwoBeside(task, guest);
    if (others.isEmpty()) {
      guest.alone += passed;
    } else if (others.size() == 1 && sharing.get(others.get(0)).isComparableTo(guest)) {
      guest.beside.merge(sharing.get(others.get(0)).type, passed, Long::sum);
    } else {
      guest.other += passed;
    }
  }

  /** Returns at most two other tasks on the devices, since a device may have a thousand. */
  private List<TaskId> firstTwoBeside(TaskId task, SharingTask guest) {
    List<TaskId> others = new ArrayList<>(2);
    for (DeviceId device : guest.devices) {
      for (TaskId other : byDevice.get(device)) {
        if (!other.equals(task) && !others.contains(other)) {
          others.add(other);
        }
        if (others.size() == 2) {
          return others;
        }
      }
    }
    return others;
  }
}
