package io.remuda.agent.attempt;

import io.remuda.thread.DaemonThread;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * File operations of an agent, done in order and not on an actor's thread. While a disk hangs the
 * agent continues to report, to renew contact deadlines and to end tasks. Any thread.
 */
public interface FileWork extends AutoCloseable {

  /** Adds work that is done after all earlier work; never blocks. */
  void add(Runnable work);

  /**
   * Adds work that has a result.
   *
   * @param failed creates the result if the work throws, as when memory is exhausted
   * @param then receives the result, on the thread that does the work
   */
  default <T> void add(Supplier<T> work, Function<Throwable, T> failed, Consumer<T> then) {
    add(
        () -> {
          T result;
          try {
            result = work.get();
          } catch (Throwable fault) {
            result = failed.apply(fault);
          }
          then.accept(result);
        });
  }

  /** Returns how long the current work has taken; zero if there is none. */
  Duration busy();

  /** Drops all work that has not begun. */
  @Override
  void close();

  /**
   * Creates an executor with a daemon thread of its own.
   *
   * @param name of the thread, as jstack shows it
   */
  static FileWork onThread(String name, LongSupplier nanoClock) {
    return new OnThread(name, nanoClock);
  }

  /** Does the work on one thread with a queue. */
  final class OnThread implements FileWork {
    private static final Logger LOG = LoggerFactory.getLogger(FileWork.class);

    private final LongSupplier nanoClock;
    private final BlockingQueue<Runnable> waiting = new LinkedBlockingQueue<>();
    private final Thread thread;

    /** When the current work began; null if there is none. */
    private volatile Long since;

    private OnThread(String name, LongSupplier nanoClock) {
      this.nanoClock = nanoClock;
      thread = DaemonThread.start(name, this::run);
    }

    @Override
    public void add(Runnable work) {
      waiting.add(work);
    }

    @Override
    public Duration busy() {
      Long begun = since;
      return begun == null ? Duration.ZERO : Duration.ofNanos(nanoClock.getAsLong() - begun);
    }

    @Override
    public void close() {
      waiting.clear();
      thread.interrupt();
    }

    private void run() {
      try {
        while (true) {
          Runnable next = waiting.take();
          since = nanoClock.getAsLong();
          guarded(next);
          since = null;
        }
      } catch (InterruptedException closed) {
        Thread.currentThread().interrupt();
      }
    }

    private static void guarded(Runnable work) {
      try {
        work.run();
      } catch (Throwable fault) { // so that later work is still done
        LOG.error("file work failed", fault);
      }
    }
  }
}
