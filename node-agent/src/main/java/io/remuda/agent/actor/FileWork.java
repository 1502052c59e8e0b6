package io.remuda.agent.actor;

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
 * What an agent does with files, in the order in which it is asked for, and not on the thread of an
 * actor: while a disk stands still the agent goes on to report, to renew leases and to end tasks.
 * Any thread.
 */
public interface FileWork extends AutoCloseable {

  /** Has this done after all that was asked for before; never waits. */
  void add(Runnable work);

  /**
   * The same for work that has a result.
   *
   * @param failed makes the result of work that was cut short, as by want of memory
   * @param then takes the result, on the thread of the files
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

  /** How long what is done now has taken; zero if there is nothing to do. */
  Duration busy();

  /** Nothing more is begun. */
  @Override
  void close();

  /** On a thread of its own, which does not keep the process alive. */
  static FileWork onThread(LongSupplier nanoClock) {
    return new OnThread(nanoClock);
  }

  /** One thread and its queue. */
  final class OnThread implements FileWork {
    private static final Logger LOG = LoggerFactory.getLogger(FileWork.class);

    private final LongSupplier nanoClock;
    private final BlockingQueue<Runnable> waiting = new LinkedBlockingQueue<>();
    private final Thread thread = new Thread(this::run, "files");

    /** When what is done now was begun; null if there is nothing to do. */
    private volatile Long since;

    private OnThread(LongSupplier nanoClock) {
      this.nanoClock = nanoClock;
      thread.setDaemon(true);
      thread.start();
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
      } catch (Throwable fault) { // those behind it are to be done all the same
        LOG.error("work with files failed", fault);
      }
    }
  }
}
