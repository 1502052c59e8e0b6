package io.remuda.coordinator.schedule.model;

import io.remuda.telemetry.model.DeviceProcess;
import io.remuda.telemetry.model.DeviceSample;
import io.remuda.worker.job.ResourceRequest;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Memory of a device that belongs to no task of this server.
 *
 * <p>What the driver lists counts exactly. Memory that no listed process has, which is all of it
 * where the driver lists none, counts only beyond what every idle device may have in use ({@link
 * ResourceRequest#nearlyAll}): the driver's own, a display server's, and what is being freed. On a
 * device that is lent it does not count at all, since a task may have taken it since the processes
 * were listed.
 *
 * @param bytes in use, 0 for none
 * @param tolerated bytes with which the device may still be lent as a whole
 * @param processes those of no task, the largest first; some may have no known memory
 */
public record StrangerMemory(long bytes, long tolerated, List<DeviceProcess> processes) {

  private static final List<DeviceProcess> NOBODY = List.of();

  /** What is tolerated on a node that does not say otherwise: a display server, for example. */
  public static final long USUALLY_TOLERATED = 256L << 20;

  /** No memory at all. */
  public static final StrangerMemory NONE = new StrangerMemory(0, USUALLY_TOLERATED, List.of());

  /** It is not known yet, on a node whose readings come soon: its devices wait for them. */
  public static final StrangerMemory UNREAD = new StrangerMemory(0, -1, List.of());

  public StrangerMemory {
    processes = List.copyOf(processes);
  }

  /**
   * Finds it in a reading.
   *
   * @param total bytes of the device that tasks may use, 0 if not known
   * @param lent whether a task has the device or a part of it
   * @param own pids of tasks that another node of the machine has named
   */
  public static StrangerMemory of(
      DeviceSample reading, long total, long tolerated, boolean lent, Set<Long> own) {
    List<DeviceProcess> strangers = new ArrayList<>();
    long listed = 0;
    long ofStrangers = 0;
    boolean known = true;
    for (DeviceProcess process : reading.processes() == null ? NOBODY : reading.processes()) {
      long bytes = process.memBytes() == null ? 0 : process.memBytes();
      listed += bytes;
      if (process.task() == null && !own.contains(process.pid())) {
        strangers.add(process);
        ofStrangers += bytes;
        known &= process.memBytes() != null;
      }
    }
    if (reading.memUsed() == null) {
      return with(ofStrangers, tolerated, strangers);
    }
    long unlisted = lent ? 0 : Math.max(0, reading.memUsed() - listed);
    long usual = known ? total - ResourceRequest.nearlyAll(total) : 0;
    long all = Math.min(ofStrangers, reading.memUsed()) + (unlisted > usual ? unlisted : 0);
    return with(all, tolerated, all == 0 && known ? NOBODY : strangers);
  }

  private static StrangerMemory with(long bytes, long tolerated, List<DeviceProcess> processes) {
    List<DeviceProcess> largestFirst = new ArrayList<>(processes);
    largestFirst.sort((one, other) -> Long.compare(bytesOf(other), bytesOf(one)));
    return new StrangerMemory(bytes, tolerated, largestFirst);
  }

  private static long bytesOf(DeviceProcess process) {
    return process.memBytes() == null ? 0 : process.memBytes();
  }

  /** Returns the processes of tasks in these readings. */
  public static Set<Long> pidsOfTasks(Collection<DeviceSample> readings) {
    Set<Long> pids = new HashSet<>();
    for (DeviceSample reading : readings) {
      for (DeviceProcess process : reading.processes() == null ? NOBODY : reading.processes()) {
        if (process.task() != null) {
          pids.add(process.pid());
        }
      }
    }
    return pids;
  }

  /** Returns whether it is so much that the device cannot be lent as a whole. */
  public boolean isTooMuch() {
    return bytes > tolerated;
  }

  /** Returns whether somebody uses the device, however little. */
  public boolean isThere() {
    return bytes > 0 || !processes.isEmpty();
  }

  /** Returns whether other devices are preferred; not where any use is tolerated. */
  public boolean isAvoided() {
    return isThere() && tolerated < Long.MAX_VALUE;
  }
}
