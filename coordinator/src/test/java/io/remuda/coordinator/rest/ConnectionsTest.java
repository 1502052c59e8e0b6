package io.remuda.coordinator.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConnectionsTest {
  private final Connections connections = new Connections(2);
  private final List<String> closed = new ArrayList<>();

  private Connections.Connection open(String name) {
    return connections.opened(() -> closed.add(name));
  }

  @Test
  void the_one_that_is_idle_for_longest_makes_room() {
    Connections.Connection first = open("first");
    open("second");
    first.asks();
    first.answered(Connections.Answer.WHOLE);
    open("third");
    assertEquals(List.of("second"), closed);
    assertEquals(2, connections.size());
  }

  @Test
  void one_that_waits_for_its_answer_stays() {
    Connections.Connection first = open("first");
    first.asks();
    open("second");
    open("third");
    first.answered(Connections.Answer.WHOLE);
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
    Connections.Connection first = open("first");
    first.over();
    first.asks();
    first.answered(Connections.Answer.WHOLE);
    open("second");
    open("third");
    assertEquals(List.of(), closed);
    assertEquals(2, connections.size());
  }

  @Test
  void one_that_sends_events_goes_only_when_none_is_idle() {
    Connections.Connection first = open("first");
    first.asks();
    first.answered(Connections.Answer.STREAM);
    open("second");
    open("third").asks();
    open("fourth");
    assertEquals(List.of("second", "first"), closed);
  }

  @Test
  void one_that_has_lost_its_place_may_ask_nothing() {
    Connections.Connection first = open("first");
    open("second");
    assertTrue(first.asks());
    first.answered(Connections.Answer.WHOLE);
    open("third").asks();
    open("fourth").asks();
    assertFalse(first.asks());
    assertEquals(2, connections.size());
  }
}
