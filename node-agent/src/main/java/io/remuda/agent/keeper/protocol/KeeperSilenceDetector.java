package io.remuda.agent.keeper.protocol;

import io.remuda.agent.keeper.KeeperUnresponsiveException;
import io.remuda.agent.keeper.proc.KeeperProcessHandle;
import java.io.IOException;
import java.util.Optional;

/**
 * Decides what the silence of a keeper means that owes answers. Time is counted in ticks. One
 * thread.
 */
final class KeeperSilenceDetector {

  /**
   * The timeout has this number of ticks. A pause of this whole process counts as one tick at most,
   * so that it does not count as silence of the keeper.
   */
  private static final int PARTS = 10;

  /** Timeouts that a running keeper may take to answer a kill. */
  static final int KILL_PATIENCE = 10;

  private final long timeoutMillis;

  /** Timeouts that a keeper may stand still that somebody has stopped: a minute by default. */
  static final int STOPPED_PATIENCE = 20;

  /** Ticks in which answers were owed and none came. */
  private int silentParts;

  KeeperSilenceDetector(long timeoutMillis) {
    this.timeoutMillis = timeoutMillis;
  }

  /** Returns the time of one tick in milliseconds. */
  long tickMillis() {
    return Math.max(1, timeoutMillis / PARTS);
  }

  /**
   * Counts a tick.
   *
   * @param owes whether answers are owed
   * @return whether the keeper has been silent for longer than the timeout
   */
  boolean tick(boolean owes) {
    silentParts = owes ? silentParts + 1 : 0;
    return silentParts > PARTS;
  }

  /** Returns how long the keeper has been silent, in milliseconds. */
  long millis() {
    return silentParts * (timeoutMillis / PARTS);
  }

  /** Ends the silence; returns whether it was longer than the timeout. */
  boolean heard() {
    boolean silent = silentParts > PARTS;
    silentParts = 0;
    return silent;
  }

  /**
   * Returns why the connection must be closed, empty to keep waiting.
   *
   * @param state of the keeper's process
   * @param mustEnd whether a kill is unanswered
   * @param expired whether the contact deadline of one of its tasks has passed, which a stopped
   *     keeper cannot see
   */
  Optional<Exception> verdict(KeeperProcessHandle.State state, boolean mustEnd, boolean expired) {
    if (state == KeeperProcessHandle.State.GONE) {
      return Optional.of(new IOException("the keeper has ended"));
    }
    boolean stopped = state == KeeperProcessHandle.State.STOPPED;
    if (stopped && (expired || silentParts > STOPPED_PATIENCE * PARTS)) {
      return Optional.of(
          new KeeperUnresponsiveException(
              "the keeper is stopped and has not answered for " + millis() + " ms"));
    }
    return mustEnd && silentParts > KILL_PATIENCE * PARTS
        ? Optional.of(
            new KeeperUnresponsiveException(
                "the keeper has not answered a kill for " + millis() + " ms"))
        : Optional.empty();
  }
}
