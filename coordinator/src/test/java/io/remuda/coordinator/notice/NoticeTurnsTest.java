package io.remuda.coordinator.notice;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Which notice is sent next; n1 stands for notice number 1. */
class NoticeTurnsTest {

  private static final long NOW = Math.subtractExact(Long.MAX_VALUE, 3); // it may turn over
  private final NoticeTurns turns = new NoticeTurns();

  private void add(long first, int count, String user, String receiver) {
    for (long number = first; number < first + count; number++) {
      assertTrue(turns.add(number, user, receiver));
    }
  }

  /** Takes all that may be sent now. */
  private List<Long> taken(long now) {
    List<Long> taken = new ArrayList<>();
    for (Optional<NoticeTurns.Notice> next = turns.next(now);
        next.isPresent();
        next = turns.next(now)) {
      taken.add(next.get().number());
    }
    return taken;
  }

  @Test
  void users_take_turns_whoever_was_first() {
    add(1, 100, "eve", "a:80");
    add(201, 2, "ann", "b:80");
    assertEquals(List.of(1L, 201L, 2L, 202L, 3L), taken(NOW));
  }

  @Test
  void the_receivers_of_a_user_take_turns() {
    add(1, 100, "ann", "slow:80");
    add(201, 2, "ann", "quick:80");
    assertEquals(List.of(1L, 201L, 2L, 202L, 3L), taken(NOW));
  }

  @Test
  void a_slow_receiver_has_at_most_three_places_of_a_user_and_six_of_all() {
    add(1, 10, "ann", "slow:80");
    add(101, 10, "bob", "slow:80");
    add(201, 10, "eve", "slow:80");
    assertEquals(List.of(1L, 101L, 201L, 2L, 102L, 202L), taken(NOW));
    add(301, 1, "eve", "quick:80");
    assertEquals(List.of(301L), taken(NOW));
  }

  @Test
  void a_user_with_many_slow_receivers_leaves_ten_places_to_others() {
    for (int port = 1; port <= 100; port++) {
      add(port, 1, "eve", "slow:" + port);
    }
    assertEquals(List.of(1L, 2L, 3L, 4L, 5L, 6L), taken(NOW));
    for (int user = 1; user <= 20; user++) {
      add(1000 + user, 1, "user" + user, "other:80");
      add(2000 + user, 1, "user" + user, "another:80");
    }
    assertEquals(10, taken(NOW).size());
  }

  @Test
  void a_place_that_is_free_goes_to_the_user_who_has_waited_longest_for_a_turn() {
    add(1, 10, "eve", "slow:80");
    add(101, 10, "bob", "slow:80");
    assertEquals(List.of(1L, 101L, 2L, 102L, 3L, 103L), taken(NOW));
    add(201, 1, "ann", "slow:80");
    turns.done(1);
    assertEquals(List.of(4L), taken(NOW), "eve's turn was before ann came");
    turns.done(101);
    assertEquals(List.of(104L), taken(NOW));
    turns.done(102);
    assertEquals(List.of(201L), taken(NOW));
  }

  @Test
  void what_could_not_be_sent_pauses_and_nothing_waits_for_it() {
    add(1, 3, "eve", "away:80");
    assertEquals(List.of(1L, 2L, 3L), taken(NOW));
    turns.failed(1, NOW + 10);
    turns.failed(2, NOW + 5);
    turns.failed(3, NOW + 5);
    add(4, 1, "eve", "away:80");
    assertEquals(List.of(4L), taken(NOW + 4));
    assertEquals(List.of(2L, 3L), taken(NOW + 5));
    turns.done(4);
    assertEquals(List.of(), taken(NOW + 9));
    assertEquals(List.of(1L), taken(NOW + 10));
    assertEquals(1, turns.tries(1));
  }

  @Test
  void one_that_was_not_tried_keeps_its_tries() {
    add(1, 1, "ann", "a:80");
    assertEquals(List.of(1L), taken(NOW));
    turns.failed(1, NOW);
    assertEquals(List.of(1L), taken(NOW));
    turns.notTried(1);
    assertEquals(List.of(1L), taken(NOW));
    assertEquals(1, turns.tries(1));
  }

  @Test
  void a_hundred_thousand_of_a_user_wait_and_others_are_kept_nevertheless() {
    add(1, NoticeTurns.MOST_OF_USER, "eve", "away:80");
    assertFalse(turns.add(900_000, "eve", "b:80"));
    add(900_001, 1, "ann", "a:80");
    assertEquals(List.of(1L, 900_001L, 2L, 3L), taken(NOW));
    turns.done(1);
    add(900_002, 1, "eve", "b:80");
  }
}
