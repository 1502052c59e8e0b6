package io.remuda.coordinator.store;

import io.remuda.agent.clock.TrustedTime;
import io.remuda.coordinator.store.row.StoreDamagedException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * One cleanup pass, in steps of one small transaction each: it removes jobs beyond the retention,
 * then returns free pages to the disk. Runs on the writer's thread.
 */
final class StoreCleanup {

  private final TrustedTime.ClockReading time;
  private final JobExpiry expiry;
  private final CompletableFuture<Integer> outcome = new CompletableFuture<>();
  private boolean expired;

  /**
   * @param time decides which jobs are old; stored in the file
   */
  StoreCleanup(Retention retention, TrustedTime.ClockReading time) {
    this.time = time;
    this.expiry = new JobExpiry(retention, time.seen());
  }

  /** Completes at the end of the pass with the number of removed jobs. */
  CompletionStage<Integer> outcome() {
    return outcome.copy();
  }

  /** Runs one step; returns false if nothing is left to do. */
  boolean step(DatabaseBackend database, Connection connection, MetaTable checksums)
      throws SQLException, StoreDamagedException {
    if (!expired) {
      checksums.setTime(time);
      expired = !expiry.step(connection, checksums);
      return true;
    }
    return database.shrink(connection);
  }

  void done() {
    outcome.complete(expiry.removed());
  }

  /** Ends the pass with a fault; the next pass continues. */
  void failed(Exception fault) {
    outcome.completeExceptionally(fault);
  }
}
