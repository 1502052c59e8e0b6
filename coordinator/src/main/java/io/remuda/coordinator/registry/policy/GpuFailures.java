package io.remuda.coordinator.registry.policy;

import io.remuda.coordinator.profile.JobType;
import io.remuda.coordinator.schedule.model.DeviceOffer;
import io.remuda.coordinator.schedule.model.FailedPlaces;
import io.remuda.coordinator.schedule.model.GpuRest;
import io.remuda.coordinator.schedule.model.NodeOffer;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.TaskId;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * What has failed on which GPUs: where tasks failed that are tried again, and which GPUs rest.
 *
 * <p>A GPU rests when programs have failed on it several times in a row, each soon after its start,
 * while one of them does well on a GPU of the same model: on the same node, or elsewhere if the
 * node has no other. So a GPU never rests for a program that fails everywhere, for a node on which
 * nothing works, or if it is the only one of its model; and one of a model always remains. It is
 * tried again after a time that doubles while that fails. A success, or a program that runs for
 * long, ends it. Nothing of this is stored: another leader starts without it.
 *
 * <p>Times are nanoseconds of one monotonic clock. Single-threaded.
 */
public final class GpuFailures {

  /** Programs and tasks that are remembered, the newest. */
  private static final int MOST = 10_000;

  /** How long a success on another GPU counts. */
  private static final long STILL_GOOD = Duration.ofMinutes(10).toNanos();

  /** What must have run at least to be doing well, besides twice as long as what failed. */
  private static final long RUNS = Duration.ofMillis(300).toNanos();

  /**
   * A program that runs on devices.
   *
   * @param ranNanos for how long
   */
  public record RunningProgram(JobType program, Collection<DeviceId> devices, long ranNanos) {}

  /** The failures in a row on a device. */
  private static final class Failures {
    private final Set<JobType> programs = new HashSet<>();
    private int count;
    private long longest;
    private String cause;
    private long pause;
    private long until;

    private boolean isResting(long now) {
      return pause > 0 && until - now > 0;
    }
  }

  private final RetryPolicy.GpuRests policy;
  private final Map<DeviceId, Failures> byDevice = new HashMap<>();

  /** When each program last did well on a device. */
  private final Map<JobType, Map<DeviceId, Long>> good = newest();

  private final Map<TaskId, FailedPlaces> failed = newest();

  public GpuFailures(RetryPolicy.GpuRests policy) {
    this.policy = policy;
  }

  private static <K, V> Map<K, V> newest() {
    return new LinkedHashMap<>() {
      @Override
      protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
        return size() > MOST;
      }
    };
  }

  /** Records where a task failed that is tried again; without devices nothing. */
  public void triedAgain(TaskId task, String node, Collection<DeviceId> devices) {
    if (!devices.isEmpty()) {
      FailedPlaces here = new FailedPlaces(Set.of(node), Set.copyOf(devices));
      failed.merge(task, here, FailedPlaces::and);
    }
  }

  /** Removes an ended job. */
  public void forget(JobId job) {
    if (!failed.isEmpty()) {
      failed.keySet().removeIf(task -> task.job().equals(job));
    }
  }

  /** Returns where tasks have failed that are tried again; it changes with later calls. */
  public Map<TaskId, FailedPlaces> places() {
    return Collections.unmodifiableMap(failed);
  }

  /** Records that a program has ended well on these devices. */
  public void succeeded(JobType program, Collection<DeviceId> devices, long now) {
    if (!devices.isEmpty() && policy.after() > 0) {
      Map<DeviceId, Long> there = good.computeIfAbsent(program, any -> new HashMap<>());
      devices.forEach(device -> there.put(device, now));
      byDevice.keySet().removeAll(devices);
    }
  }

  /**
   * Records that a program has failed by itself on these devices.
   *
   * @param ranNanos how long it ran
   * @param nodes as they were offered last
   * @param running what runs on devices now; asked only if a device may have to rest
   */
  public void failed(
      JobType program,
      Collection<DeviceId> devices,
      String cause,
      long ranNanos,
      List<NodeOffer> nodes,
      Supplier<List<RunningProgram>> running,
      long now) {
    if (devices.isEmpty() || policy.after() == 0) {
      return;
    }
    if (ranNanos > policy.quick().toNanos()) {
      byDevice.keySet().removeAll(devices); // they work
      return;
    }
    good.getOrDefault(program, new HashMap<>()).keySet().removeAll(devices);
    for (DeviceId device : devices) {
      Failures failures = byDevice.computeIfAbsent(device, any -> new Failures());
      failures.programs.add(program);
      failures.count++;
      failures.longest = Math.max(failures.longest, ranNanos);
      failures.cause = cause;
      boolean often = failures.count >= policy.after() && !failures.isResting(now);
      if (often && doesWellElsewhere(device, failures, nodes, running.get(), now)) {
        rest(failures, now);
      }
    }
    byDevice.forEach(
        (device, failures) -> {
          boolean doubtful = failures.isResting(now) && failures.programs.contains(program);
          if (doubtful && !doesWellElsewhere(device, failures, nodes, running.get(), now)) {
            failures.until = now; // it fails there as well
          }
        });
  }

  private void rest(Failures failures, long now) {
    long doubled = Math.max(policy.first().toNanos(), failures.pause * 2);
    failures.pause = Math.min(doubled, policy.longest().toNanos());
    failures.until = now + failures.pause;
  }

  private boolean doesWellElsewhere(
      DeviceId device,
      Failures failures,
      List<NodeOffer> nodes,
      List<RunningProgram> running,
      long now) {
    Set<DeviceId> peers = peers(device, nodes);
    peers.removeIf(peer -> byDevice.containsKey(peer) && byDevice.get(peer).isResting(now));
    long least = Math.max(RUNS, 2 * failures.longest);
    for (JobType program : failures.programs) {
      Map<DeviceId, Long> times = good.getOrDefault(program, Map.of());
      if (peers.stream().anyMatch(one -> isAfter(times.get(one), now - STILL_GOOD))) {
        return true;
      }
    }
    return running.stream()
        .anyMatch(
            one ->
                failures.programs.contains(one.program())
                    && one.ranNanos() >= least
                    && one.devices().stream().anyMatch(peers::contains));
  }

  private static boolean isAfter(Long time, long limit) {
    return time != null && time - limit >= 0;
  }

  /** Returns the other devices of its model on its node, or on others if its node has none. */
  private static Set<DeviceId> peers(DeviceId device, List<NodeOffer> nodes) {
    Set<DeviceId> near = new HashSet<>();
    Set<DeviceId> far = new HashSet<>();
    for (NodeOffer node : nodes) {
      node.devices().stream()
          .filter(one -> one.id().equals(device))
          .findFirst()
          .ifPresent(
              own -> {
                near.addAll(alike(own, node));
                nodes.forEach(other -> far.addAll(alike(own, other)));
              });
    }
    return near.isEmpty() ? far : near;
  }

  private static Set<DeviceId> alike(DeviceOffer own, NodeOffer node) {
    Set<DeviceId> alike = new HashSet<>();
    for (DeviceOffer device : node.devices()) {
      if (!device.id().equals(own.id()) && device.model().equals(own.model())) {
        alike.add(device.id());
      }
    }
    return alike;
  }

  /** Returns whether no device rests. */
  public boolean areNone(long now) {
    return byDevice.isEmpty()
        || byDevice.values().stream().noneMatch(failures -> failures.isResting(now));
  }

  /** Returns the offer of a node with its resting devices marked. */
  public NodeOffer marked(NodeOffer node, long now) {
    if (areNone(now)) {
      return node;
    }
    return node.withDevices(
        node.devices().stream()
            .map(
                device -> {
                  Failures failures = byDevice.get(device.id());
                  return failures == null || !failures.isResting(now)
                      ? device
                      : device.resting(
                          new GpuRest(failures.count, failures.pause / 1_000_000, failures.cause));
                })
            .toList());
  }
}
