package io.remuda.coordinator.ensemble;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.worker.job.AttemptId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ItemPoolTest {
  private static final AttemptId ANN = AttemptId.parse("2.0.1");
  private static final AttemptId BEN = AttemptId.parse("2.1.1");

  private static String show(Optional<ItemPool.Range> range) {
    return range.map(given -> given.from() + "-" + given.to()).orElse("none");
  }

  private static List<String> drain(ItemPool pool, AttemptId worker) {
    List<String> ranges = new ArrayList<>();
    for (var next = pool.next(worker); next.isPresent(); next = pool.next(worker)) {
      ranges.add(show(next));
      pool.done(worker, next.get().from(), next.get().to());
    }
    return ranges;
  }

  @Test
  void ranges_are_handed_out_in_order_and_end_with_the_pool() {
    ItemPool pool = new ItemPool(10, 1);
    assertEquals(List.of("0-2", "2-4", "4-6", "6-8", "8-10"), drain(pool, ANN));
    assertEquals(10, pool.doneItems());
    assertEquals(10, pool.total());
  }

  @ParameterizedTest
  @CsvSource({"1024, 2, 0-32", "64, 4, 0-4", "3, 2, 0-1", "7, 1, 0-1", "1000000, 1, 0-32"})
  void a_range_is_small_enough_for_all_workers_to_share_the_end(
      int items, int workers, String first) {
    assertEquals(first, show(new ItemPool(items, workers).next(ANN)));
  }

  @Test
  void the_last_range_may_be_shorter() {
    assertEquals(List.of("0-2", "2-4", "4-6", "6-8", "8-9"), drain(new ItemPool(9, 1), ANN));
  }

  @Test
  void what_a_lost_worker_held_is_handed_out_again_first() {
    ItemPool pool = new ItemPool(10, 1);
    pool.next(ANN);
    pool.next(ANN);
    pool.next(BEN);
    pool.returned(ANN);
    assertEquals("0-2", show(pool.next(BEN)));
    assertEquals("2-4", show(pool.next(BEN)));
    assertEquals("6-8", show(pool.next(BEN)));
  }

  @Test
  void what_a_lost_worker_had_finished_is_not_handed_out_again() {
    ItemPool pool = new ItemPool(4, 1);
    pool.next(ANN);
    pool.done(ANN, 0, 1);
    pool.next(ANN);
    pool.returned(ANN);
    assertEquals(List.of("1-2", "2-3", "3-4"), drain(pool, BEN));
    assertEquals(4, pool.doneItems());
  }

  @Test
  void late_words_of_a_lost_worker_count_for_nothing() {
    ItemPool pool = new ItemPool(4, 1);
    pool.next(ANN);
    pool.returned(ANN);
    pool.done(ANN, 0, 1);
    assertEquals(0, pool.doneItems());
    pool.next(BEN);
    pool.done(ANN, 0, 1);
    assertEquals(0, pool.doneItems());
    pool.returned(ANN);
    assertEquals("1-2", show(pool.next(BEN)));
  }

  @Test
  void a_range_that_was_not_handed_out_is_not_done() {
    ItemPool pool = new ItemPool(4, 1);
    pool.next(ANN);
    pool.done(ANN, 0, 4);
    assertEquals(0, pool.doneItems());
  }

  @Test
  void an_empty_pool_gives_nothing() {
    assertEquals("none", show(new ItemPool(0, 3).next(ANN)));
  }
}
