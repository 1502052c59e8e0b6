package io.remuda.coordinator.store;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * Asks a disk how it is, for those who must not wait for it: a file server that is away answers not
 * even how much room it has. Any thread.
 */
final class DiskGauge {
  private static final long PATIENCE_MILLIS = 50;

  /** An answer counts for so long: jobs that come one by one do not ask for each. */
  private static final long FRESH_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final Supplier<Optional<String>> look;

  /** What was asked last; guarded by this. */
  private CompletableFuture<Optional<String>> asked;

  private long askedAt;

  /**
   * Asks nothing yet.
   *
   * @param look says what is wrong, if it is; may take as long as the disk likes
   */
  DiskGauge(Supplier<Optional<String>> look) {
    this.look = look;
  }

  /** Says what is wrong, if it is; nothing if the disk does not say at once. */
  Optional<String> trouble() {
    CompletableFuture<Optional<String>> answer = ask();
    try {
      return answer.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException unknown) {
      return Optional.empty();
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }

  /** One question at a time: what does not answer is not asked again. */
  private synchronized CompletableFuture<Optional<String>> ask() {
    boolean old = System.nanoTime() - askedAt > FRESH_NANOS;
    if (asked == null || (asked.isDone() && old)) {
      CompletableFuture<Optional<String>> next = new CompletableFuture<>();
      asked = next;
      askedAt = System.nanoTime();
      Thread thread = new Thread(() -> answer(next), "disk-gauge");
      thread.setDaemon(true);
      thread.start();
    }
    return asked;
  }

  private void answer(CompletableFuture<Optional<String>> question) {
    try {
      question.complete(look.get());
    } catch (RuntimeException fault) {
      question.completeExceptionally(fault);
    }
  }
}
