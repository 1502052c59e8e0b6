package io.remuda.coordinator.store;

import io.remuda.coordinator.store.row.StoreDamaged;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;

/** A store that is being opened by a thread of its own, while others start. */
public final class StoreOpening {

  private final CompletableFuture<Store.Opened> opened;

  private StoreOpening(CompletableFuture<Store.Opened> opened) {
    this.opened = opened;
  }

  /** Begins to open the store of a folder, see {@link Store#open(Path, Clock)}. */
  public static StoreOpening begin(Path folder, Clock clock) {
    return begin(() -> Store.open(folder, clock));
  }

  /** Begins to open the store in a database, see {@link Store#open(Database, Clock)}. */
  public static StoreOpening begin(Database database, Clock clock) {
    return begin(() -> Store.open(database, clock));
  }

  /** Begins to open the store in a database whose tables may be upgraded only with a permit. */
  public static StoreOpening begin(Database database, Clock clock, UpgradePermit permit) {
    return begin(() -> Store.open(database, clock, permit));
  }

  private static StoreOpening begin(Callable<Store.Opened> open) {
    CompletableFuture<Store.Opened> opened = new CompletableFuture<>();
    Thread thread = new Thread(() -> run(open, opened), "store-opening");
    thread.setDaemon(true);
    thread.start();
    return new StoreOpening(opened);
  }

  private static void run(Callable<Store.Opened> open, CompletableFuture<Store.Opened> opened) {
    try {
      opened.complete(open.call());
    } catch (Exception | OutOfMemoryError fault) { // whatever it is, those who wait learn it
      opened.completeExceptionally(fault);
    }
  }

  /** Returns the store, once it is open, or the fault that {@link #get} would throw. */
  public CompletionStage<Store.Opened> stage() {
    return opened;
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
      return opened.get();
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
