package io.remuda.coordinator.store;

import io.remuda.coordinator.store.row.StoreDamagedException;
import io.remuda.thread.DaemonThread;
import java.io.Closeable;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Parts of one load that run at the same time, each reader on a connection of its own. */
final class ParallelReads implements Closeable {

  /** A part of the load, run with its own connection. */
  interface LoadStep<T> {
    T read(Connection connection)
        throws SQLException, StoreDamagedException, StoreTooLargeException;
  }

  private final DatabaseBackend database;
  private final ExecutorService readers =
      Executors.newCachedThreadPool(task -> DaemonThread.of("store-loader", task));
  private final ExecutorService parsers =
      Executors.newFixedThreadPool(
          Runtime.getRuntime().availableProcessors(),
          task -> DaemonThread.of("store-loader", task));

  ParallelReads(DatabaseBackend database) {
    this.database = database;
  }

  /** Begins to read. */
  <T> Future<T> start(LoadStep<T> part) {
    Callable<T> work =
        () -> {
          try (Connection own = database.connect()) {
            own.setAutoCommit(false);
            return part.read(own);
          }
        };
    return readers.submit(work);
  }

  /** Begins to parse what was read. */
  <T> Future<T> parse(Callable<T> work) {
    return parsers.submit(work);
  }

  /** Waits for a part. */
  static <T> T get(Future<T> part)
      throws SQLException, StoreDamagedException, StoreTooLargeException {
    try {
      return part.get();
    } catch (ExecutionException fault) {
      if (fault.getCause() instanceof SQLException cause) {
        throw cause;
      }
      if (fault.getCause() instanceof StoreDamagedException cause) {
        throw cause;
      }
      if (fault.getCause() instanceof StoreTooLargeException cause) {
        throw cause;
      }
      if (fault.getCause() instanceof Error error) {
        throw error; // for example too little memory: the file is not damaged
      }
      throw new StoreDamagedException(
          String.valueOf(fault.getCause().getMessage()), fault.getCause());
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      throw new SQLException("interrupted", stop);
    }
  }

  /** Waits for all parts, so that no connection stays open. */
  @Override
  public void close() {
    await(readers);
    await(parsers);
  }

  private static void await(ExecutorService threads) {
    threads.shutdown();
    boolean interrupted = false;
    while (!threads.isTerminated()) {
      try {
        threads.awaitTermination(1, TimeUnit.SECONDS);
      } catch (InterruptedException stop) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
