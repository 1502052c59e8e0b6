package io.remuda.coordinator.store;

import io.remuda.coordinator.store.row.StoreDamaged;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** A store that is being opened by a thread of its own, while others start. */
public final class StoreOpening {

  private final FutureTask<Store.Opened> task;

  private StoreOpening(FutureTask<Store.Opened> task) {
    this.task = task;
  }

  /** Begins to open the store of a folder, see {@link Store#open(Path, Clock)}. */
  public static StoreOpening begin(Path folder, Clock clock) {
    return begin(() -> Store.open(folder, clock));
  }

  /** Begins to open the store in a database, see {@link Store#open(Database, Clock)}. */
  public static StoreOpening begin(Database database, Clock clock) {
    return begin(() -> Store.open(database, clock));
  }

  private static StoreOpening begin(Callable<Store.Opened> open) {
    FutureTask<Store.Opened> task = new FutureTask<>(open);
    Thread thread = new Thread(task, "store-opening");
    thread.setDaemon(true);
    thread.start();
    return new StoreOpening(task);
  }

  /**
   * Waits for the store.
   *
   * @throws StoreDamaged if it is damaged, or a newer build has written it
   * @throws StateInUse if a server uses it
   * @throws IOException if it cannot be opened
   */
  public Store.Opened get() throws IOException, StoreDamaged, InterruptedException {
    try {
      return task.get();
    } catch (ExecutionException fault) {
      if (fault.getCause() instanceof StoreDamaged damaged) {
        throw damaged;
      }
      if (fault.getCause() instanceof IOException cause) {
        throw cause;
      }
      throw new IllegalStateException(fault.getCause());
    }
  }
}
