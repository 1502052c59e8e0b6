package io.remuda.agent.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.protocol.CoordinatorMessage.Kept;
import io.remuda.agent.protocol.TaskOrder;
import io.remuda.agent.testkit.TestAgents;
import io.remuda.worker.job.AttemptId;
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

class SeatsTest {

  private final Seats seats = new Seats();

  private List<String> due(long now) {
    return seats.due(now).stream().map(order -> order.attempt().toString()).toList();
  }

  private static AttemptId id(String attempt) {
    return AttemptId.parse(attempt);
  }

  @Test
  void orders_without_a_common_seat_are_due_at_once() {
    seats.add(TestAgents.seated("1.0.1", 0));
    seats.add(TestAgents.seated("1.1.1", 0));
    seats.add(TestAgents.seated("1.2.1", 7));
    assertEquals(List.of("1.0.1", "1.1.1", "1.2.1"), due(0));
  }

  @Test
  void those_of_one_seat_are_due_in_the_order_in_which_they_came() {
    seats.add(TestAgents.seated("1.5.1", 7));
    seats.add(TestAgents.seated("1.0.1", 7));
    assertEquals(List.of("1.5.1"), due(0));
    assertEquals(List.of(), due(0));
    seats.leave(id("1.5.1"));
    assertEquals(List.of("1.0.1"), due(0));
    assertEquals(0, seats.waiting());
  }

  @Test
  void what_lives_already_keeps_its_seat() {
    seats.keep(Kept.of(TestAgents.seated("1.0.1", 7)), 0);
    seats.add(TestAgents.seated("1.1.1", 7));
    assertEquals(List.of(), due(0));
  }

  @Test
  void keeping_one_that_waits_gives_it_no_seat() {
    seats.add(TestAgents.seated("1.0.1", 7));
    seats.keep(Kept.of(TestAgents.seated("1.0.1", 7)), 0);
    assertEquals(List.of("1.0.1"), due(0));
  }

  @Test
  void only_those_behind_a_slow_one_give_up() {
    seats.add(TestAgents.seated("1.0.1", 7));
    seats.add(TestAgents.seated("1.1.1", 8));
    due(0);
    seats.add(TestAgents.seated("1.2.1", 7));
    seats.add(TestAgents.seated("1.3.1", 8));
    seats.leave(id("1.1.1"));
    due(900);
    seats.add(TestAgents.seated("1.4.1", 8));
    assertEquals(List.of(), seats.giveUp(1000, 1000));
    assertEquals(List.of(id("1.2.1")), seats.giveUp(1000, 1001));
    assertTrue(seats.isWaiting(id("1.4.1")));
  }

  @Property(tries = 300)
  void no_seat_ever_has_two_and_every_order_has_its_turn(@ForAll Random random) {
    Map<AttemptId, Long> living = new HashMap<>();
    Set<AttemptId> begun = new HashSet<>();
    int added = 0;
    for (int step = 0; step < 200 || !living.isEmpty(); step++) {
      if (step < 200 && random.nextBoolean()) {
        seats.add(TestAgents.seated("1." + added++ + ".1", 1 + random.nextInt(3)));
      } else if (!living.isEmpty()) {
        AttemptId over = new ArrayList<>(living.keySet()).get(random.nextInt(living.size()));
        living.remove(over);
        seats.leave(over);
      }
      for (TaskOrder order : seats.due(step)) {
        assertTrue(!living.containsValue(order.seat()), "seat " + order.seat() + " has two");
        living.put(order.attempt(), order.seat());
        assertTrue(begun.add(order.attempt()), order.attempt() + " began twice");
      }
    }
    assertEquals(added, begun.size());
    assertEquals(0, seats.waiting());
  }
}
