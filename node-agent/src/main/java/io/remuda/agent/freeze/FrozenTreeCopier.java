package io.remuda.agent.freeze;

import io.remuda.agent.attempt.FileWork;
import io.remuda.agent.protocol.TaskStartOrder;
import io.remuda.worker.job.AttemptId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Makes the copies of frozen trees, those of each user in order and on a thread of their own: a
 * tree may be large, or on a file server that is away, and neither other files nor other users wait
 * for that. No method blocks; what follows is run on one of these threads, or by {@link #cancel}.
 * Any thread.
 */
public final class FrozenTreeCopier {

  /** Makes a copy, and blocks as long as that takes. */
  interface Copying {
    FrozenFilesTaskOrder of(TaskStartOrder order, Path scratch, BooleanSupplier wanted);
  }

  /** A copy that is wanted until it is answered. */
  private record Copy(
      TaskStartOrder order,
      long since,
      Consumer<FrozenFilesTaskOrder> then,
      AtomicBoolean answered) {

    /** Answers unless that has happened. */
    private void answer(FrozenFilesTaskOrder result) {
      if (answered.compareAndSet(false, true)) {
        then.accept(result);
      }
    }
  }

  private final LongSupplier nanoClock;
  private final Copying copying;
  private final Map<AttemptId, Copy> copies = new ConcurrentHashMap<>();

  /** By user; none until it is needed: most nodes run no frozen trees. */
  private final Map<String, FileWork> threads = new HashMap<>();

  public FrozenTreeCopier(LongSupplier nanoClock) {
    this(nanoClock, FrozenFilesTaskOrder::of);
  }

  FrozenTreeCopier(LongSupplier nanoClock, Copying copying) {
    this.nanoClock = nanoClock;
    this.copying = copying;
  }

  private synchronized FileWork thread(String user) {
    return threads.computeIfAbsent(user, one -> FileWork.onThread("trees", nanoClock));
  }

  /**
   * Makes the copy for an order.
   *
   * @param scratch folder of its attempt
   */
  public void add(TaskStartOrder order, Path scratch, Consumer<FrozenFilesTaskOrder> then) {
    Copy copy = new Copy(order, nanoClock.getAsLong(), then, new AtomicBoolean());
    copies.put(order.attempt(), copy);
    BooleanSupplier wanted = () -> !copy.answered().get();
    thread(order.user())
        .add(
            () ->
                wanted.getAsBoolean()
                    ? copying.of(order, scratch, wanted)
                    : FrozenFilesTaskOrder.cancelled(order),
            fault -> FrozenFilesTaskOrder.failed(order, fault),
            result -> {
              copies.remove(order.attempt(), copy);
              copy.answer(result);
            });
  }

  /** Answers now that the copy for an attempt was not made, if it is not there yet. */
  public void cancel(AttemptId attempt) {
    Copy copy = copies.remove(attempt);
    if (copy != null) {
      copy.answer(FrozenFilesTaskOrder.cancelled(copy.order()));
    }
  }

  /** Returns how long an attempt has waited for its copy; empty if it does not. */
  public Optional<Duration> waiting(AttemptId attempt) {
    return Optional.ofNullable(copies.get(attempt))
        .map(copy -> Duration.ofNanos(nanoClock.getAsLong() - copy.since()));
  }

  /** Drops all work that has not begun. */
  public synchronized void close() {
    threads.values().forEach(FileWork::close);
  }
}
