package io.remuda.coordinator.rest.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class UnreadAnswersTest {
  private final UnreadAnswers answers = new UnreadAnswers(100);
  private final List<Long> dropped = new ArrayList<>();

  private UnreadAnswers.UnreadAnswer begin(long bytes) {
    return answers.begin(bytes, () -> dropped.add(bytes));
  }

  @Test
  void the_oldest_that_nobody_reads_make_room() {
    UnreadAnswers.UnreadAnswer read = begin(40);
    begin(30);
    begin(20);
    read.over();
    read.over();
    begin(45);
    assertEquals(List.of(), dropped);
    begin(46);
    assertEquals(List.of(30L, 20L), dropped);
    assertEquals(91, answers.held());
  }

  @Test
  void one_that_is_larger_than_all_is_sent_alone() {
    begin(10);
    begin(500).over();
    assertEquals(List.of(10L), dropped);
    assertEquals(0, answers.held());
  }
}
