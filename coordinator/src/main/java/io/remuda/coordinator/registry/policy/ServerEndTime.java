package io.remuda.coordinator.registry.policy;

import io.remuda.coordinator.schedule.model.WaitReason;
import java.util.Optional;

/**
 * When the server ends because its machines are lent for a time. A task whose time limit does not
 * fit into what is left does not start: it would lose its work.
 *
 * @param at on the monotonic clock in nanoseconds; not used if there is no end
 * @param wallMillis the same in milliseconds since 1970; 0 if there is no end
 */
public record ServerEndTime(long at, long wallMillis) {

  /** The server has no end. */
  public static final ServerEndTime NEVER = new ServerEndTime(0, 0);

  /**
   * Returns why a task must not start now; empty if it may.
   *
   * @param limitMillis its time limit; 0 for none, with which a task starts at any time
   */
  public Optional<WaitReason> refusal(long limitMillis, long now) {
    boolean fits =
        wallMillis == 0 || limitMillis == 0 || limitMillis * 1_000_000 <= Math.max(0, at - now);
    return fits
        ? Optional.empty()
        : Optional.of(new WaitReason.ServerEndsBefore(wallMillis, limitMillis));
  }
}
