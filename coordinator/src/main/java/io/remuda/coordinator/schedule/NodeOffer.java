package io.remuda.coordinator.schedule;

import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * A node as the scheduler sees it.
 *
 * @param node its name
 * @param machine that it is on; nodes of one machine share its memory and its CPUs
 * @param presence whether it takes tasks
 * @param labels that it has
 * @param cpus of its machine in thousandths of a core
 * @param memory of its machine in bytes
 * @param devices all that it has, by index
 * @param clearsAt when its tasks will all have ended by their time limits, in nanoseconds of the
 *     monotonic clock; empty if one has no limit or has not begun, and if there are none
 * @param pause why it gets no tasks for a while; null unless it is {@link Presence#PAUSED}
 * @param tasks that it has; those that follow others in their slots do not count
 */
public record NodeOffer(
    String node,
    MachineOffer machine,
    Presence presence,
    Map<String, String> labels,
    Amount cpus,
    Amount memory,
    List<DeviceOffer> devices,
    OptionalLong clearsAt,
    NodePause pause,
    int tasks) {

  /**
   * A node has so many tasks at most, also of those that need nothing of it: each costs it, and the
   * server, memory and time.
   */
  public static final int MOST_TASKS = 4000;

  /** Whether a node takes tasks. */
  public enum Presence {
    READY,
    /** It does not answer. */
    SILENT,
    /** Its tasks run on but it gets no more. */
    DRAINING,
    /** The same, for a while, for a reason of its own. */
    PAUSED
  }

  /** How much there is, and how much of it has not been promised to tasks. */
  public record Amount(long free, long total) {
    Amount emptied() {
      return new Amount(total, total);
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
  }

  /** One that offers all of its machine, without a pause and without tasks. */
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
        clearsAt,
        null,
        0);
  }

  /** The same node, which gets no tasks for a while. */
  public NodeOffer paused(NodePause why) {
    return new NodeOffer(
        node, machine, Presence.PAUSED, labels, cpus, memory, devices, clearsAt, why, tasks);
  }

  /** The same node, there and without any task. */
  NodeOffer emptied() {
    return new NodeOffer(
        node,
        machine.emptied(),
        Presence.READY,
        labels,
        cpus.emptied(),
        memory.emptied(),
        devices.stream().map(DeviceOffer::emptied).toList(),
        OptionalLong.empty(),
        null,
        0);
  }
}
