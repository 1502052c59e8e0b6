package io.remuda.coordinator.rest.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class OpenConnectionsTest {
  private final AtomicLong clock = new AtomicLong();
  private final OpenConnections connections =
      new OpenConnections(2, Duration.ofSeconds(10), clock::get);
  private final List<String> closed = new ArrayList<>();

  private OpenConnections.Connection open(String name) {
    return connections.opened(() -> closed.add(name));
  }

  @Test
  void the_one_that_is_idle_for_longest_makes_room() {
    OpenConnections.Connection first = open("first");
    open("second");
    first.asks();
    first.answered(OpenConnections.Delivery.WHOLE);
    open("third");
    assertEquals(List.of("second"), closed);
    assertEquals(2, connections.size());
  }

  @Test
  void one_that_waits_for_its_answer_stays() {
    OpenConnections.Connection first = open("first");
    first.asks();
    open("second");
    open("third");
    first.answered(OpenConnections.Delivery.WHOLE);
    open("fourth");
    assertEquals(List.of("second", "third"), closed);
  }

  @Test
  void when_all_wait_for_answers_the_new_one_goes() {
    open("first").asks();
    open("second").asks();
    open("third");
    assertEquals(List.of("third"), closed);
  }

  @Test
  void one_that_is_gone_counts_no_more_whatever_it_says() {
    OpenConnections.Connection first = open("first");
    first.over();
    first.asks();
    first.answered(OpenConnections.Delivery.WHOLE);
    open("second");
    open("third");
    assertEquals(List.of(), closed);
    assertEquals(2, connections.size());
  }

  @Test
  void one_that_sends_events_goes_only_when_none_is_idle() {
    OpenConnections.Connection first = open("first");
    first.asks();
    first.answered(OpenConnections.Delivery.STREAM);
    open("second");
    open("third").asks();
    open("fourth");
    assertEquals(List.of("second", "first"), closed);
  }

  @Test
  void one_that_has_lost_its_place_may_ask_nothing() {
    OpenConnections.Connection first = open("first");
    open("second");
    assertTrue(first.asks());
    first.answered(OpenConnections.Delivery.WHOLE);
    open("third").asks();
    open("fourth").asks();
    assertFalse(first.asks());
    assertEquals(2, connections.size());
  }

  @Test
  void one_whose_body_still_comes_is_idle_for_the_others() {
    OpenConnections.Connection first = open("first");
    first.begins();
    open("second").asks();
    open("third");
    assertEquals(List.of("first"), closed);
    assertFalse(first.asks());
  }

  @Test
  void one_that_sends_no_head_is_closed_in_time() {
    open("silent");
    OpenConnections.Connection asking = open("asking");
    clock.set(Duration.ofSeconds(9).toNanos());
    asking.begins();
    connections.closeSilent();
    assertEquals(List.of(), closed);
    clock.set(Duration.ofSeconds(11).toNanos());
    connections.closeSilent();
    assertEquals(List.of("silent"), closed);
    assertEquals(1, connections.size());
  }
}
