package io.remuda.worker.main;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.remuda.worker.main.ItemFeed.Range;
import io.remuda.worker.protocol.ToWorker.ItemsGranted;
import io.remuda.worker.protocol.ToWorker.NoMoreItems;
import io.remuda.worker.protocol.WorkerEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ItemFeedTest {
  private final List<WorkerEvent> told = new ArrayList<>();
  private final ItemFeed feed = new ItemFeed(this::tell);

  private long tell(WorkerEvent event) {
    told.add(event);
    return told.size();
  }

  private Optional<Range> next() {
    return assertTimeoutPreemptively(Duration.ofSeconds(10), feed::next);
  }

  @Test
  void the_range_after_the_next_is_asked_for_before_the_next_is_worked_on() {
    feed.begin();
    assertEquals(1, told.size());
    feed.receive(new ItemsGranted(1, 0, 8));
    assertEquals(Optional.of(new Range(0, 8)), next());
    assertEquals(List.of(new WorkerEvent.ItemsWanted(), new WorkerEvent.ItemsWanted()), told);
  }

  @Test
  void an_answer_that_came_during_the_work_is_there_at_once() {
    feed.begin();
    feed.receive(new ItemsGranted(1, 0, 8));
    next();
    feed.receive(new ItemsGranted(2, 8, 16));
    assertEquals(Optional.of(new Range(8, 16)), next());
  }

  @Test
  void a_repeated_answer_gives_no_range_twice() {
    feed.begin();
    feed.receive(new ItemsGranted(1, 0, 8));
    feed.receive(new ItemsGranted(1, 0, 8));
    assertEquals(Optional.of(new Range(0, 8)), next());
    feed.receive(new ItemsGranted(1, 0, 8));
    feed.receive(new ItemsGranted(2, 8, 16));
    assertEquals(Optional.of(new Range(8, 16)), next());
  }

  @Test
  void an_answer_to_a_question_that_was_not_asked_is_ignored() {
    feed.begin();
    feed.receive(new NoMoreItems(2));
    feed.receive(new ItemsGranted(1, 0, 8));
    assertEquals(Optional.of(new Range(0, 8)), next());
  }

  @Test
  void an_empty_pool_stays_empty_and_is_not_asked_again() {
    feed.begin();
    feed.receive(new NoMoreItems(1));
    assertEquals(Optional.empty(), next());
    assertEquals(Optional.empty(), next());
    assertEquals(1, told.size());
  }
}
