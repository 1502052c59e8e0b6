package io.remuda.agent.recovery;

import io.remuda.agent.protocol.CoordinatorMessage.Kept;
import io.remuda.agent.protocol.TaskStartOrder;
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
 * Orders that wait on the node for their slot. For short tasks a coordinator sends more orders than
 * there are slots, because the round trip to it would take longer than a task. The next few orders
 * of each slot are handed to the keeper, which starts each when the one before it is gone, without
 * a round trip to the agent. Times are nanoseconds of one monotonic clock. One thread.
 */
public final class SlotOrderQueue {

  /**
   * Maximum number of orders of a slot at the keeper; enough for the agent to refill it in time.
   * All have to begin before the first request expires (2.7 s), also where each takes 200 ms.
   */
  static final int HANDED = 12;

  /**
   * With more than this at the keeper a slot gets no others: several at once cost the agent and the
   * keeper fewer messages, and their threads fewer wake-ups, than one after each end.
   */
  static final int REFILLED_AT = 4;

  /** Maximum characters of arguments and environments of all orders that wait at the keeper. */
  static final long MOST_BEHIND = 2 << 20;

  /** The orders of one slot at the keeper. */
  private static final class Slot {
    /** In starting order. */
    private final Set<AttemptId> handed = new LinkedHashSet<>();

    /** When the first of them became first. */
    private long since;

    boolean isFirst(AttemptId attempt) {
      return handed.iterator().next().equals(attempt);
    }
  }

  /**
   * Attempts that have waited too long for their slot.
   *
   * @param here attempts that waited here; they are removed
   * @param handed attempts that wait at the keeper and may start at any moment
   */
  public record GivenUp(List<AttemptId> here, List<AttemptId> handed) {}

  private final Map<Long, Slot> slots = new HashMap<>();
  private final Map<AttemptId, Long> slotOf = new HashMap<>();
  private final Map<AttemptId, TaskStartOrder> waiting = new LinkedHashMap<>();
  private final Map<AttemptId, Long> sizeBehind = new HashMap<>();
  private long allBehind;

  /** Adds an order; it waits until {@link #due} returns it. */
  public void add(TaskStartOrder order) {
    waiting.put(order.attempt(), order);
  }

  /** Returns whether an order has not been handed to the keeper yet. */
  public boolean isWaiting(AttemptId attempt) {
    return waiting.containsKey(attempt);
  }

  /** Returns the number of orders that wait for their slot, here and at the keeper. */
  public int waiting() {
    return waiting.size() + slotOf.size() - slots.size();
  }

  /** Records that a live attempt has its slot, also if an earlier agent started it. */
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

  /** Removes an attempt that is over, or that is no longer wanted and has not started. */
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

  /** Removes and returns the orders to hand to the keeper now. */
  public List<TaskStartOrder> due(long now) {
    if (waiting.isEmpty()) {
      return List.of();
    }
    List<TaskStartOrder> due = new ArrayList<>();
    Set<Long> full = enough(); // keeps the order within each slot
    for (TaskStartOrder order : waiting.values()) {
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

  private Set<Long> enough() {
    Set<Long> enough = new HashSet<>();
    slots.forEach(
        (number, slot) -> {
          if (slot.handed.size() > REFILLED_AT) {
            enough.add(number);
          }
        });
    return enough;
  }

  private boolean hasRoom(TaskStartOrder order) {
    Slot slot = slots.get(order.slot());
    boolean mayFollow = order.workload() instanceof CommandWorkload && order.devices().isEmpty();
    return slot == null
        || (mayFollow && slot.handed.size() < HANDED && allBehind + size(order) <= MOST_BEHIND);
  }

  private static long size(TaskStartOrder order) {
    return order.commandSize();
  }

  /** Returns the attempts that wait at the keeper behind others. */
  public List<AttemptId> behind() {
    List<AttemptId> behind = new ArrayList<>();
    slots.values().forEach(slot -> slot.handed.stream().skip(1).forEach(behind::add));
    return behind;
  }

  /**
   * Returns the attempts behind one that has had the slot for longer than {@code longestNanos}, and
   * removes those that wait here.
   */
  public GivenUp giveUp(long longestNanos, long now) {
    List<AttemptId> handed = new ArrayList<>();
    for (Slot slot : slots.values()) {
      if (isSlow(slot, longestNanos, now)) {
        slot.handed.stream().skip(1).forEach(handed::add);
      }
    }
    List<AttemptId> here = new ArrayList<>();
    for (TaskStartOrder order : waiting.values()) {
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
