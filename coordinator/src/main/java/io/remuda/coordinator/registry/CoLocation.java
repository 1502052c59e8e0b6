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
 * For how long each of the tasks that share devices has had which company. It knows what runs from
 * when this is seen. Times are nanoseconds of one monotonic clock. One thread.
 */
final class CoLocation {

  /** A task whose notes differ from what its node says by more than this part shows nothing. */
  private static final double AGREEMENT = 0.1;

  private static final double NANOS_PER_MILLI = 1e6;

  /**
   * A task's time so far.
   *
   * @param alone with nobody on its devices
   * @param beside with one task, of that type, that had the same devices
   * @param other with more than one, or with one that has no type or other devices
   */
  record SharedTimes(long alone, Map<JobType, Long> beside, long other) {
    SharedTimes {
      beside = Map.copyOf(beside);
    }

    private double total() {
      return alone + other + beside.values().stream().mapToDouble(Long::doubleValue).sum();
    }

    /**
     * The run of which these are the notes; nothing if they do not cover it.
     *
     * @param devices that it had, by model
     * @param millis that it took, as its node says
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

  /** A task that runs. */
  private static final class SharingTask {
    private final JobType type;
    private final Set<DeviceId> devices;
    private final boolean seenFromStart;
    private final Map<JobType, Long> beside = new HashMap<>();
    private long since;
    private long alone;
    private long other;

    SharingTask(JobType type, Collection<DeviceId> devices, boolean seenFromStart, long now) {
      this.type = type;
      this.devices = Set.copyOf(devices);
      this.seenFromStart = seenFromStart;
      this.since = now;
    }

    private boolean isComparableTo(SharingTask another) {
      return type != null && devices.equals(another.devices);
    }
  }

  private final Map<TaskId, SharingTask> sharing = new HashMap<>();
  private final Map<DeviceId, Set<TaskId>> byDevice = new HashMap<>();

  /**
   * A task has begun to run, if it is not known yet.
   *
   * @param type or null if it has none
   * @param devices that it shares
   */
  void began(TaskId task, JobType type, Collection<DeviceId> devices, long now) {
    if (!sharing.containsKey(task)) {
      enter(task, new SharingTask(type, devices, true, now), now);
    }
  }

  /** A task has run before this one's time: it is company to others and has no notes of its own. */
  void found(TaskId task, JobType type, Collection<DeviceId> devices, long now) {
    enter(task, new SharingTask(type, devices, false, now), now);
  }

  private void enter(TaskId task, SharingTask guest, long now) {
    noteAll(guest.devices, now);
    sharing.put(task, guest);
    guest.devices.forEach(
        device -> byDevice.computeIfAbsent(device, id -> new TreeSet<>()).add(task));
  }

  /** A task does not run any more. */
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

  /** What is known of a task that runs; nothing if its beginning was not seen. */
  Optional<SharedTimes> of(TaskId task, long now) {
    SharingTask guest = sharing.get(task);
    if (guest == null || !guest.seenFromStart) {
      return Optional.empty();
    }
    note(task, guest, now);
    return Optional.of(new SharedTimes(guest.alone, guest.beside, guest.other));
  }

  private void noteAll(Collection<DeviceId> devices, long now) {
    for (DeviceId device : devices) {
      byDevice.getOrDefault(device, Set.of()).forEach(task -> note(task, sharing.get(task), now));
    }
  }

  /** Who is there now has been there since the last note. */
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

  /** No more than two, for a device may have a thousand tasks. */
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
