package io.remuda.coordinator.ensemble;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.TaskId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class ItemPoolPropertyTest {
  /** A worker that prefetches, dies and is replaced. */
  private static final class Worker {
    private final int index;
    private int attempt = 1;
    private final Deque<ItemPool.Range> ranges = new ArrayDeque<>();

    Worker(int index) {
      this.index = index;
    }

    AttemptId id() {
      return new AttemptId(new TaskId(new JobId(2), index), attempt);
    }
  }

  @Property(tries = 500)
  void every_item_counts_once_whatever_is_lost(
      @ForAll @IntRange(max = 300) int total,
      @ForAll @IntRange(min = 1, max = 4) int size,
      @ForAll @Size(max = 200) List<@IntRange(max = 11) Integer> steps) {
    ItemPool pool = new ItemPool(total, size);
    List<Worker> workers = new ArrayList<>();
    for (int index = 0; index < size; index++) {
      workers.add(new Worker(index));
    }
    int[] counted = new int[total];
    for (int step : steps) {
      take(pool, workers.get(step % size), step / 4, counted);
    }
    boolean more = true;
    while (more) {
      more = false;
      for (Worker worker : workers) {
        more |= take(pool, worker, 0, counted) | take(pool, worker, 1, counted);
      }
    }
    assertEquals(total, pool.doneItems());
    for (int item = 0; item < total; item++) {
      assertEquals(1, counted[item], "item " + item);
    }
  }

  /** Lets a worker ask, finish or die; returns whether anything changed. */
  private static boolean take(ItemPool pool, Worker worker, int kind, int[] counted) {
    if (kind == 0) {
      Optional<ItemPool.Range> next = pool.next(worker.id());
      next.ifPresent(worker.ranges::addLast);
      return next.isPresent();
    }
    if (kind == 1) {
      ItemPool.Range range = worker.ranges.pollFirst();
      if (range != null) {
        finish(pool, worker, range, counted);
      }
      return range != null;
    }
    pool.returned(worker.id());
    worker.ranges.clear();
    worker.attempt++;
    return true;
  }

  private static void finish(ItemPool pool, Worker worker, ItemPool.Range range, int[] counted) {
    int before = pool.doneItems();
    pool.done(worker.id(), range.from(), range.to());
    assertEquals(range.to() - range.from(), pool.doneItems() - before, "each item is new");
    for (int item = range.from(); item < range.to(); item++) {
      counted[item]++;
    }
  }
}
