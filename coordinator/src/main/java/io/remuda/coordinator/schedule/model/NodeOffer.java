package io.remuda.coordinator.schedule.model;

import io.remuda.telemetry.model.DeviceId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The resources and state of a node for the scheduler.
 *
 * @param node its name
 * @param machine its machine; nodes of one machine share its memory and CPUs
 * @param presence whether it takes tasks
 * @param labels its labels
 * @param cpus of its machine in thousandths of a core
 * @param memory of its machine in bytes
 * @param devices all its devices by index
 * @param releases what its slots in use give back, and when that is expected
 * @param pause why it temporarily gets no tasks: for {@link Presence#PAUSED}, and for a drained
 *     node with a reason, which may be silent; otherwise null
 * @param tasks number of slots in use
 * @param counted its counted resources and those of the cluster
 */
public record NodeOffer(
    String node,
    MachineOffer machine,
    Presence presence,
    Map<String, String> labels,
    Amount cpus,
    Amount memory,
    List<DeviceOffer> devices,
    List<SlotRelease> releases,
    NodePause pause,
    int tasks,
    CountedResourceOffer counted) {

  /**
   * Maximum number of tasks of a node, whatever they need: each costs memory and time on the node
   * and the server.
   */
  public static final int MOST_TASKS = 4000;

  /** Whether a node takes tasks. */
  public enum Presence {
    READY,
    /** It does not answer. */
    SILENT,
    /** Its tasks continue, but it gets no more. */
    DRAINING,
    /** Its tasks continue, but it temporarily gets no more, as {@link NodeOffer#pause} explains. */
    PAUSED
  }

  /** A total amount, and the part of it that is not promised to tasks. */
  public record Amount(long free, long total) {
    Amount emptied() {
      return new Amount(total, total);
    }

    private boolean isUnused() {
      return free >= total;
    }

    private Amount and(long more) {
      return new Amount(Math.min(total, free + more), total);
    }
  }

  /**
   * What a machine has, which its nodes share.
   *
   * @param id of the machine
   * @param cpus thousandths of a core
   * @param memory in bytes
   */
  public record MachineOffer(String id, Amount cpus, Amount memory) {
    private MachineOffer emptied() {
      return new MachineOffer(id, cpus.emptied(), memory.emptied());
    }
  }

  public NodeOffer {
    labels = Map.copyOf(labels);
    devices = List.copyOf(devices);
    releases = List.copyOf(releases);
  }

  /**
   * Creates an offer of all of its machine, without pause, tasks and counted resources.
   *
   * @param clearsAt when all that is in use will be given back; empty if nobody knows
   */
  public NodeOffer(
      String node,
      String machine,
      Presence presence,
      Map<String, String> labels,
      Amount cpus,
      Amount memory,
      List<DeviceOffer> devices,
      OptionalLong clearsAt) {
    this(
        node,
        new MachineOffer(machine, cpus, memory),
        presence,
        labels,
        cpus,
        memory,
        devices,
        allInUse(cpus, memory, devices, clearsAt),
        null,
        0,
        CountedResourceOffer.NONE);
  }

  /** Returns the release of all that is in use as that of one slot; none if nothing is. */
  public static List<SlotRelease> allInUse(
      Amount cpus, Amount memory, List<DeviceOffer> devices, OptionalLong at) {
    List<DeviceId> held =
        devices.stream()
            .filter(
                device ->
                    device.standing() == DeviceOffer.Standing.TAKEN
                        || device.standing() == DeviceOffer.Standing.SHARED)
            .map(DeviceOffer::id)
            .toList();
    return at.isEmpty() && cpus.isUnused() && memory.isUnused() && held.isEmpty()
        ? List.of()
        : List.of(
            new SlotRelease(
                0, 0, at, cpus.total() - cpus.free(), memory.total() - memory.free(), held));
  }

  /** Returns when all its slots are expected to be free; empty if nobody knows, or all are. */
  public OptionalLong clearsAt(long now) {
    OptionalLong last = OptionalLong.empty();
    for (SlotRelease release : releases) {
      OptionalLong at = release.at(now);
      if (at.isEmpty()) {
        return at;
      }
      last = last.isEmpty() || at.getAsLong() - last.getAsLong() > 0 ? at : last;
    }
    return last;
  }

  /**
   * Returns a copy that is ready and without the tasks of some slots; without any it is {@link
   * #vacated}.
   *
   * @param gone some of {@link #releases}
   */
  public NodeOffer without(List<SlotRelease> gone) {
    if (gone.size() == releases.size()) {
      return vacated();
    }
    List<SlotRelease> left = new ArrayList<>(releases);
    gone.forEach(left::remove);
    Set<DeviceId> freed = new HashSet<>();
    gone.forEach(release -> freed.addAll(release.devices()));
    left.forEach(release -> release.devices().forEach(freed::remove));
    long moreCpus = gone.stream().mapToLong(SlotRelease::milliCpus).sum();
    long moreMemory = gone.stream().mapToLong(SlotRelease::memory).sum();
    return new NodeOffer(
        node,
        new MachineOffer(
            machine.id(), machine.cpus().and(moreCpus), machine.memory().and(moreMemory)),
        presence,
        labels,
        cpus.and(moreCpus),
        memory.and(moreMemory),
        devices.stream().map(one -> freed.contains(one.id()) ? one.vacated() : one).toList(),
        left,
        pause,
        Math.max(0, tasks - gone.size()),
        counted);
  }

  /** Returns whether it has the label with the value, or with one of several between {@code |}. */
  public boolean hasLabel(String key, String wanted) {
    return matches(labels.get(key), wanted);
  }

  /** Returns whether a label's value, null for none, is the wanted one, or one of several. */
  public static boolean matches(String has, String wanted) {
    return has != null
        && (has.equals(wanted)
            || wanted.indexOf('|') >= 0 && List.of(wanted.split("\\|")).contains(has));
  }

  /** Returns a copy with other counted resources. */
  public NodeOffer counting(CountedResourceOffer others) {
    return new NodeOffer(
        node, machine, presence, labels, cpus, memory, devices, releases, pause, tasks, others);
  }

  /** Returns a copy with other devices. */
  public NodeOffer withDevices(List<DeviceOffer> others) {
    return new NodeOffer(
        node, machine, presence, labels, cpus, memory, others, releases, pause, tasks, counted);
  }

  /** Returns a copy that is paused. */
  public NodeOffer paused(NodePause why) {
    return new NodeOffer(
        node,
        machine,
        Presence.PAUSED,
        labels,
        cpus,
        memory,
        devices,
        releases,
        why,
        tasks,
        counted);
  }

  /** Returns a copy that is ready and has no tasks and nothing that is drained. */
  public NodeOffer emptied() {
    return emptied(devices.stream().map(DeviceOffer::emptied).toList());
  }

  /** Returns a copy that is ready and has no tasks; GPUs that are drained stay so. */
  public NodeOffer vacated() {
    return emptied(devices.stream().map(DeviceOffer::vacated).toList());
  }

  private NodeOffer emptied(List<DeviceOffer> without) {
    return new NodeOffer(
        node,
        machine.emptied(),
        Presence.READY,
        labels,
        cpus.emptied(),
        memory.emptied(),
        without,
        List.of(),
        null,
        0,
        counted.emptied());
  }
}
