package io.remuda.coordinator.store;

import io.remuda.coordinator.store.row.StoreDamagedException;
import io.remuda.coordinator.store.warm.WarmState;
import io.remuda.thread.DaemonThread;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;

/** A store that is being opened by a thread of its own, while others start. */
public final class BackgroundStoreOpening {

  private final CompletableFuture<StoreOpener.Opened> opened;

  private BackgroundStoreOpening(CompletableFuture<StoreOpener.Opened> opened) {
    this.opened = opened;
  }

  /** Begins to open the store of a folder, see {@link StoreOpener#open(Path, Clock)}. */
  public static BackgroundStoreOpening begin(Path folder, Clock clock) {
    return begin(() -> StoreOpener.open(folder, clock));
  }

  /**
   * Begins to open the store in a database, see {@link StoreOpener#open(DatabaseBackend, Clock)}.
   */
  public static BackgroundStoreOpening begin(DatabaseBackend database, Clock clock) {
    return begin(() -> StoreOpener.open(database, clock));
  }

  /**
   * Begins to open the store in a database whose tables may be upgraded only with a permit.
   *
   * @param warm rows that were read ahead, if any
   */
  public static BackgroundStoreOpening begin(
      DatabaseBackend database, Clock clock, UpgradePermit permit, WarmState warm) {
    return begin(() -> StoreOpener.open(database, clock, permit, warm::take));
  }

  private static BackgroundStoreOpening begin(Callable<StoreOpener.Opened> open) {
    CompletableFuture<StoreOpener.Opened> opened = new CompletableFuture<>();
    DaemonThread.start("store-opening", () -> run(open, opened));
    return new BackgroundStoreOpening(opened);
  }

  private static void run(
      Callable<StoreOpener.Opened> open, CompletableFuture<StoreOpener.Opened> opened) {
    try {
      opened.complete(open.call());
    } catch (Exception | OutOfMemoryError fault) { // whatever it is, those who wait learn it
      opened.completeExceptionally(fault);
    }
  }

  /** Returns the store, once it is open, or the fault that {@link #get} would throw. */
  public CompletionStage<StoreOpener.Opened> stage() {
    return opened;
  }

  /**
   * Waits for the store.
   *
   * @throws StoreDamagedException if it is damaged, or a newer build has written it
   * @throws StateInUseException if a server uses it
   * @throws IOException if it cannot be opened
   */
  public StoreOpener.Opened get() throws IOException, StoreDamagedException, InterruptedException {
    try {
      return opened.get();
    } catch (ExecutionException fault) {
      if (fault.getCause() instanceof StoreDamagedException damaged) {
        throw damaged;
      }
      if (fault.getCause() instanceof IOException cause) {
        throw cause;
      }
      throw new IllegalStateException(fault.getCause());
    }
  }
}
