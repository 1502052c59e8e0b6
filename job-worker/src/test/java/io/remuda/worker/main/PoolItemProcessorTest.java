package io.remuda.worker.main;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.remuda.worker.protocol.ToWorker;
import io.remuda.worker.protocol.WorkerEvent;
import io.remuda.worker.protocol.WorkerEvent.ItemFailure;
import io.remuda.worker.protocol.WorkerEvent.ItemsDone;
import io.remuda.worker.protocol.WorkerEvent.PoolDone;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class PoolItemProcessorTest {
  private final Queue<ItemFeed.Range> pool = new ArrayDeque<>();
  private final List<Integer> worked = new ArrayList<>();
  private final List<WorkerEvent> told = new ArrayList<>();
  private final WorkerMain.Progress progress = new WorkerMain.Progress();
  private long requests;
  private final ItemFeed feed = new ItemFeed(this::ask);

  /** A coordinator that answers each question, from a thread of its own as the real one does. */
  private long ask(WorkerEvent wanted) {
    long request = ++requests;
    ItemFeed.Range range = pool.poll();
    ToWorker answer =
        range == null
            ? new ToWorker.NoMoreItems(request)
            : new ToWorker.ItemsGranted(request, range.from(), range.to());
    new Thread(() -> feed.receive(answer)).start();
    return request;
  }

  private WorkerEvent run(IntConsumer item) throws InterruptedException {
    return new PoolItemProcessor(feed, told::add, progress).run(item);
  }

  @Test
  void every_item_of_every_range_is_worked_on_once() throws InterruptedException {
    pool.add(new ItemFeed.Range(0, 2));
    pool.add(new ItemFeed.Range(5, 8));
    assertEquals(new PoolDone(5), run(worked::add));
    assertEquals(List.of(0, 1, 5, 6, 7), worked);
    assertEquals(List.of(new ItemsDone(0, 2, List.of()), new ItemsDone(5, 8, List.of())), told);
  }

  @Test
  void a_failed_item_is_told_and_the_others_go_on() throws InterruptedException {
    pool.add(new ItemFeed.Range(0, 3));
    pool.add(new ItemFeed.Range(3, 4));
    run(
        index -> {
          if (index == 1) {
            throw new ArithmeticException("image 1 has a result that is not finite");
          }
          if (index == 3) {
            throw new OutOfMemoryError("Java heap space");
          }
          worked.add(index);
        });
    assertEquals(List.of(0, 2), worked);
    assertEquals(
        List.of(
            new ItemsDone(
                0,
                3,
                List.of(
                    new ItemFailure(
                        1,
                        "java.lang.ArithmeticException: image 1 has a result that is not finite"))),
            new ItemsDone(
                3, 4, List.of(new ItemFailure(3, "java.lang.OutOfMemoryError: Java heap space")))),
        told);
  }

  @Test
  void a_fault_of_the_machine_is_not_taken_for_a_bad_item() {
    pool.add(new ItemFeed.Range(0, 1));
    assertThrows(
        InternalError.class,
        () ->
            run(
                index -> {
                  throw new InternalError("a broken JVM");
                }));
  }

  @Test
  void an_empty_pool_is_done_at_once() throws InterruptedException {
    assertEquals(new PoolDone(0), run(worked::add));
    assertEquals(List.of(), told);
  }

  @Test
  void the_heartbeat_counts_the_items() throws InterruptedException {
    pool.add(new ItemFeed.Range(0, 3));
    List<Long> seen = new ArrayList<>();
    run(index -> seen.add(progress.alive().done()));
    assertEquals(List.of(0L, 1L, 2L), seen);
    assertEquals(3, progress.alive().done());
  }
}
