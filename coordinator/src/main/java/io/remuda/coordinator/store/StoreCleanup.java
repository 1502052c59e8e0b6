package io.remuda.coordinator.store;

import io.remuda.agent.clock.TrustedTime;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * One pass of tidying up, in steps that are a small transaction each: what is kept no longer goes,
 * then the file gives back pages that are free. The writer's thread.
 */
final class StoreCleanup {

  private final TrustedTime.ClockReading time;
  private final JobExpiry expiry;
  private final CompletableFuture<Integer> outcome = new CompletableFuture<>();
  private boolean expired;

  /**
   * A pass that has not begun.
   *
   * @param time by which things are old, and which the file is to know
   */
  StoreCleanup(Retention retention, TrustedTime.ClockReading time) {
    this.time = time;
    this.expiry = new JobExpiry(retention, time.seen());
  }

  /** How many jobs have gone, once it is over. */
  CompletionStage<Integer> outcome() {
    return outcome.copy();
  }

  /** Does a little; false if nothing was left to do. */
  boolean step(Connection connection, TableChecksums checksums) throws SQLException, StoreDamaged {
    if (!expired) {
      checksums.setTime(time);
      expired = !expiry.step(connection, checksums);
      return true;
    }
    return FreeSpace.shrink(connection);
  }

  void done() {
    outcome.complete(expiry.removed());
  }

  /** The rest is left to the next pass. */
  void failed(Exception fault) {
    outcome.completeExceptionally(fault);
  }
}
