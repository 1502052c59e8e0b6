package io.remuda.agent.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.protocol.CoordinatorMessage.Kept;
import io.remuda.agent.protocol.TaskStartOrder;
import io.remuda.agent.testkit.TestAgents;
import io.remuda.worker.job.AttemptId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class SlotOrderQueueTest {

  private final SlotOrderQueue slots = new SlotOrderQueue();

  private List<String> due(long now) {
    return slots.due(now).stream().map(order -> order.attempt().toString()).toList();
  }

  private static AttemptId id(String attempt) {
    return AttemptId.parse(attempt);
  }

  @Test
  void orders_without_a_common_slot_are_due_at_once() {
    slots.add(TestAgents.withSlot("1.0.1", 0));
    slots.add(TestAgents.withSlot("1.1.1", 0));
    slots.add(TestAgents.withSlot("1.2.1", 7));
    assertEquals(List.of("1.0.1", "1.1.1", "1.2.1"), due(0));
  }

  @Test
  void those_of_one_slot_are_due_in_the_order_in_which_they_came() {
    slots.add(TestAgents.withSlot("1.5.1", 7));
    slots.add(TestAgents.withSlot("1.0.1", 7));
    assertEquals(List.of("1.5.1"), due(0));
    assertEquals(List.of(), due(0));
    slots.leave(id("1.5.1"), 0);
    assertEquals(List.of("1.0.1"), due(0));
    assertEquals(0, slots.waiting());
  }

  @Test
  void what_lives_already_keeps_its_slot() {
    slots.keep(Kept.of(TestAgents.withSlot("1.0.1", 7)), 0);
    slots.add(TestAgents.withSlot("1.1.1", 7));
    assertEquals(List.of(), due(0));
  }

  @Test
  void keeping_one_that_waits_gives_it_no_slot() {
    slots.add(TestAgents.withSlot("1.0.1", 7));
    slots.keep(Kept.of(TestAgents.withSlot("1.0.1", 7)), 0);
    assertEquals(List.of("1.0.1"), due(0));
  }

  @Test
  void only_those_behind_a_slow_one_give_up() {
    slots.add(TestAgents.withSlot("1.0.1", 7));
    slots.add(TestAgents.withSlot("1.1.1", 8));
    due(0);
    slots.add(TestAgents.withSlot("1.2.1", 7));
    slots.add(TestAgents.withSlot("1.3.1", 8));
    slots.leave(id("1.1.1"), 900);
    due(900);
    slots.add(TestAgents.withSlot("1.4.1", 8));
    assertEquals(new SlotOrderQueue.GivenUp(List.of(), List.of()), slots.giveUp(1000, 1000));
    assertEquals(
        new SlotOrderQueue.GivenUp(List.of(id("1.2.1")), List.of()), slots.giveUp(1000, 1001));
    assertTrue(slots.isWaiting(id("1.4.1")));
  }

  private void commands(int count) {
    for (int i = 0; i < count; i++) {
      slots.add(TestAgents.command("1." + i + ".1", 7));
    }
  }

  @Test
  void commands_are_handed_on_before_their_turn_but_only_some() {
    commands(SlotOrderQueue.HANDED + 2);
    assertEquals(SlotOrderQueue.HANDED, due(0).size());
    assertEquals(List.of(), due(0));
    assertEquals(SlotOrderQueue.HANDED + 1, slots.waiting(), "all but the first");
    slots.leave(id("1.0.1"), 0);
    assertEquals(
        List.of("1.2.1", "1.3.1"),
        slots.behind().stream().limit(2).map(AttemptId::toString).toList());
  }

  @Test
  void a_slot_gets_others_only_when_few_are_left() {
    commands(2 * SlotOrderQueue.HANDED);
    due(0);
    int over = 0;
    for (; over < SlotOrderQueue.HANDED - SlotOrderQueue.REFILLED_AT - 1; over++) {
      slots.leave(id("1." + over + ".1"), 0);
      assertEquals(List.of(), due(0));
    }
    slots.leave(id("1." + over + ".1"), 0);
    List<String> more = due(0);
    assertEquals(SlotOrderQueue.HANDED - SlotOrderQueue.REFILLED_AT, more.size());
    assertEquals("1." + SlotOrderQueue.HANDED + ".1", more.get(0));
  }

  @Test
  void a_worker_follows_nobody_before_its_turn() {
    commands(1);
    slots.add(TestAgents.withSlot("2.0.1", 7));
    assertEquals(List.of("1.0.1"), due(0));
    slots.leave(id("1.0.1"), 0);
    assertEquals(List.of("2.0.1"), due(0));
  }

  @Test
  void those_that_were_handed_on_give_up_when_the_one_that_has_the_slot_is_slow() {
    commands(SlotOrderQueue.HANDED + 1);
    due(0);
    slots.leave(id("1.0.1"), 500);
    SlotOrderQueue.GivenUp given = slots.giveUp(1000, 1400);
    assertEquals(new SlotOrderQueue.GivenUp(List.of(), List.of()), given, "1.1 has it since 500");
    given = slots.giveUp(1000, 1501);
    assertEquals(List.of(id("1." + SlotOrderQueue.HANDED + ".1")), given.here());
    assertEquals(id("1.2.1"), given.handed().get(0));
    assertEquals(SlotOrderQueue.HANDED - 2, given.handed().size());
    slots.leave(id("1.2.1"), 1501);
    assertEquals(id("1.3.1"), slots.behind().get(0), "others left the slot as it was");
  }

  @Test
  void no_more_is_handed_on_than_the_keeper_can_hold() {
    int half = (int) (SlotOrderQueue.MOST_BEHIND / 2);
    slots.add(TestAgents.command("1.0.1", 7, "x".repeat(half)));
    slots.add(TestAgents.command("1.1.1", 7, "x".repeat(half)));
    slots.add(TestAgents.command("1.2.1", 7, "x".repeat(half)));
    slots.add(TestAgents.command("1.3.1", 8, "x".repeat(half)));
    assertEquals(List.of("1.0.1", "1.1.1", "1.3.1"), due(0));
    slots.leave(id("1.0.1"), 0);
    assertEquals(List.of(), due(0), "1.1 is counted until it is over");
    slots.leave(id("1.1.1"), 0);
    assertEquals(List.of("1.2.1"), due(0));
  }

  /** Few and short tries, since its orders have megabytes. */
  @Property(tries = 15)
  void commands_of_a_slot_are_handed_on_in_order_and_never_too_many(@ForAll Random random) {
    Map<Long, ArrayDeque<AttemptId>> handed = new HashMap<>();
    Map<Long, ArrayDeque<AttemptId>> came = new HashMap<>();
    List<Integer> begun = new ArrayList<>();
    int added = 0;
    int here = 0;
    for (int step = 0; step < 100 || here > 0; step++) {
      if (step < 100 && random.nextInt(3) > 0) {
        String argument = "x".repeat(random.nextInt(3) * (int) (SlotOrderQueue.MOST_BEHIND / 3));
        long slot = 1 + random.nextInt(2);
        slots.add(TestAgents.command("1." + added + ".1", slot, argument));
        came.computeIfAbsent(slot, any -> new ArrayDeque<>()).add(id("1." + added++ + ".1"));
      } else if (here > 0) {
        List<Long> taken = new ArrayList<>(handed.keySet());
        long slot = taken.get(random.nextInt(taken.size()));
        slots.leave(handed.get(slot).remove(), step);
        here--;
        handed.values().removeIf(ArrayDeque::isEmpty);
      }
      for (TaskStartOrder order : slots.due(step)) {
        handed.computeIfAbsent(order.slot(), any -> new ArrayDeque<>()).add(order.attempt());
        assertEquals(came.get(order.slot()).remove(), order.attempt(), "in the order of its slot");
        begun.add(order.attempt().task().index());
        here++;
      }
      handed.values().forEach(slot -> assertTrue(slot.size() <= SlotOrderQueue.HANDED));
      int behind = handed.values().stream().mapToInt(slot -> slot.size() - 1).sum();
      assertEquals(behind, slots.behind().size());
      assertEquals(added - begun.size() + behind, slots.waiting());
    }
    assertEquals(added, begun.size());
    assertEquals(added, new HashSet<>(begun).size());
  }

  @Property(tries = 300)
  void no_slot_ever_has_two_and_every_order_has_its_turn(@ForAll Random random) {
    Map<AttemptId, Long> living = new HashMap<>();
    Set<AttemptId> begun = new HashSet<>();
    int added = 0;
    for (int step = 0; step < 200 || !living.isEmpty(); step++) {
      if (step < 200 && random.nextBoolean()) {
        slots.add(TestAgents.withSlot("1." + added++ + ".1", 1 + random.nextInt(3)));
      } else if (!living.isEmpty()) {
        AttemptId over = new ArrayList<>(living.keySet()).get(random.nextInt(living.size()));
        living.remove(over);
        slots.leave(over, step);
      }
      for (TaskStartOrder order : slots.due(step)) {
        assertTrue(!living.containsValue(order.slot()), "slot " + order.slot() + " has two");
        living.put(order.attempt(), order.slot());
        assertTrue(begun.add(order.attempt()), order.attempt() + " began twice");
      }
    }
    assertEquals(added, begun.size());
    assertEquals(0, slots.waiting());
  }
}
