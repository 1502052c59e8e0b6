package io.remuda.worker.main;

import io.remuda.worker.protocol.WorkerEvent;
import io.remuda.worker.protocol.WorkerEvent.ItemFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.IntConsumer;

/**
 * Processes ranges of a pool's items until none are left; a failed item is reported and does not
 * end the worker.
 */
final class PoolItemProcessor {

  private final ItemFeed feed;
  private final Consumer<WorkerEvent> tell;
  private final WorkerMain.Progress progress;

  PoolItemProcessor(ItemFeed feed, Consumer<WorkerEvent> tell, WorkerMain.Progress progress) {
    this.feed = feed;
    this.tell = tell;
    this.progress = progress;
  }

  WorkerEvent run(IntConsumer item) throws InterruptedException {
    int done = 0;
    feed.begin();
    for (Optional<ItemFeed.Range> next = feed.next(); next.isPresent(); next = feed.next()) {
      ItemFeed.Range range = next.get();
      List<ItemFailure> failures = new ArrayList<>();
      for (int index = range.from(); index < range.to(); index++) {
        attempt(item, index).ifPresent(failures::add);
        progress.at(++done, 0, "items");
      }
      tell.accept(new WorkerEvent.ItemsDone(range.from(), range.to(), failures));
    }
    return new WorkerEvent.PoolDone(done);
  }

  private static Optional<ItemFailure> attempt(IntConsumer item, int index) {
    try {
      item.accept(index);
      return Optional.empty();
    } catch (RuntimeException | OutOfMemoryError failure) {
      return Optional.of(new ItemFailure(index, failure.toString()));
    }
  }
}
