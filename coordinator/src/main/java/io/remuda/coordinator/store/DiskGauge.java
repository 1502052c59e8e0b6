package io.remuda.coordinator.store;

import io.remuda.thread.DaemonThread;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * Checks a disk without blocking the caller: while a file server is away, even a query of its free
 * space blocks. Thread-safe.
 */
final class DiskGauge {
  private static final long PATIENCE_MILLIS = 50;

  /** How long a result is reused, so that not every submission checks the disk. */
  private static final long FRESH_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final Supplier<Optional<String>> look;

  /** The latest check; guarded by this. */
  private CompletableFuture<Optional<String>> asked;

  private long askedAt;

  /**
   * @param look returns what is wrong, if anything; may block
   */
  DiskGauge(Supplier<Optional<String>> look) {
    this.look = look;
  }

  /** Returns what is wrong, if anything; empty also if the disk does not respond at once. */
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

  /** Starts a check unless one is running or its result is fresh. */
  private synchronized CompletableFuture<Optional<String>> ask() {
    boolean old = System.nanoTime() - askedAt > FRESH_NANOS;
    if (asked == null || (asked.isDone() && old)) {
      CompletableFuture<Optional<String>> next = new CompletableFuture<>();
      asked = next;
      askedAt = System.nanoTime();
      DaemonThread.start("disk-gauge", () -> answer(next));
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
