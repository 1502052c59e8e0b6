package io.remuda.agent.recovery;

import io.remuda.agent.protocol.CoordinatorMessage.Kept;
import io.remuda.agent.protocol.TaskOrder;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.CommandWorkload;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which orders wait on the node for another of their slot to end. A coordinator sends more orders
 * than there is room for when tasks are so short that the way to it and back would take longer than
 * they do. Of those that wait for a slot the next few are handed to the keeper, which starts each
 * when the one before it is gone, so that not even the way between agent and keeper is in between.
 * Times are nanoseconds of one monotonic clock. One thread.
 */
public final class SlotOrders {

  /** So many orders of a slot are in the keeper's hands: enough for the agent to hand on more. */
  static final int HANDED = 8;

  /** Characters of arguments and environments that the keeper holds for later, in all. */
  static final long MOST_BEHIND = 2 << 20;

  /** What the keeper has of one slot. */
  private static final class Slot {
    /** In the order of their turns. */
    private final Set<AttemptId> handed = new LinkedHashSet<>();

    /** When the turn of the first of them came. */
    private long since;

    boolean isFirst(AttemptId attempt) {
      return handed.iterator().next().equals(attempt);
    }
  }

  /**
   * Whose turn has not come although it could have.
   *
   * @param here of those that wait here; they no longer do
   * @param handed of those that the keeper has been handed, which may begin at any moment
   */
  public record GivenUp(List<AttemptId> here, List<AttemptId> handed) {}

  private final Map<Long, Slot> slots = new HashMap<>();
  private final Map<AttemptId, Long> slotOf = new HashMap<>();
  private final Map<AttemptId, TaskOrder> waiting = new LinkedHashMap<>();
  private final Map<AttemptId, Long> sizeBehind = new HashMap<>();
  private long allBehind;

  /** The order waits until {@link #due} gives it out. */
  public void add(TaskOrder order) {
    waiting.put(order.attempt(), order);
  }

  /** Whether it has not been given out yet. */
  public boolean isWaiting(AttemptId attempt) {
    return waiting.containsKey(attempt);
  }

  /** How many orders wait for their turn, here and in the keeper's hands. */
  public int waiting() {
    return waiting.size() + slotOf.size() - slots.size();
  }

  /** A living attempt has its slot, also when it was started by an earlier agent. */
  public void keep(Kept living, long now) {
    if (!isWaiting(living.attempt()) && living.slot() != 0) {
      take(living.attempt(), living.slot(), now);
    }
  }

  private void take(AttemptId attempt, long number, long now) {
    if (slotOf.putIfAbsent(attempt, number) == null) {
      Slot slot = slots.computeIfAbsent(number, any -> new Slot());
      slot.since = slot.handed.isEmpty() ? now : slot.since;
      slot.handed.add(attempt);
    }
  }

  /** The attempt is over, or is no longer wanted before it began. */
  public void leave(AttemptId attempt, long now) {
    waiting.remove(attempt);
    Long size = sizeBehind.remove(attempt);
    allBehind -= size == null ? 0 : size;
    Long number = slotOf.remove(attempt);
    if (number == null) {
      return;
    }
    Slot slot = slots.get(number);
    slot.since = slot.isFirst(attempt) ? now : slot.since;
    slot.handed.remove(attempt);
    if (slot.handed.isEmpty()) {
      slots.remove(number);
    }
  }

  /** The orders to be handed to the keeper now, which has them from now on. */
  public List<TaskOrder> due(long now) {
    List<TaskOrder> due = new ArrayList<>();
    Set<Long> full = new HashSet<>(); // nobody passes one of its slot that has no room yet
    for (TaskOrder order : waiting.values()) {
      if (order.slot() == 0) {
        due.add(order);
      } else if (full.contains(order.slot()) || !hasRoom(order)) {
        full.add(order.slot());
      } else {
        if (slots.containsKey(order.slot())) {
          long size = size(order);
          sizeBehind.put(order.attempt(), size);
          allBehind += size;
        }
        take(order.attempt(), order.slot(), now);
        due.add(order);
      }
    }
    due.forEach(order -> waiting.remove(order.attempt()));
    return due;
  }

  private boolean hasRoom(TaskOrder order) {
    Slot slot = slots.get(order.slot());
    boolean mayFollow = order.workload() instanceof CommandWorkload && order.devices().isEmpty();
    return slot == null
        || (mayFollow && slot.handed.size() < HANDED && allBehind + size(order) <= MOST_BEHIND);
  }

  private static long size(TaskOrder order) {
    return order.workload() instanceof CommandWorkload command ? command.size() : 0;
  }

  /** Those that the keeper was handed behind others. */
  public List<AttemptId> behind() {
    List<AttemptId> behind = new ArrayList<>();
    slots.values().forEach(slot -> slot.handed.stream().skip(1).forEach(behind::add));
    return behind;
  }

  /** Those that wait for a slot that another has had for longer than this. */
  public GivenUp giveUp(long longestNanos, long now) {
    List<AttemptId> handed = new ArrayList<>();
    for (Slot slot : slots.values()) {
      if (isSlow(slot, longestNanos, now)) {
        slot.handed.stream().skip(1).forEach(handed::add);
      }
    }
    List<AttemptId> here = new ArrayList<>();
    for (TaskOrder order : waiting.values()) {
      Slot slot = slots.get(order.slot());
      if (slot != null && isSlow(slot, longestNanos, now)) {
        here.add(order.attempt());
      }
    }
    here.forEach(waiting::remove);
    return new GivenUp(here, handed);
  }

  private static boolean isSlow(Slot slot, long longestNanos, long now) {
    return now - slot.since > longestNanos;
  }
}
