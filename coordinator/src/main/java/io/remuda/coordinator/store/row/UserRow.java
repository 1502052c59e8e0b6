package io.remuda.coordinator.store.row;

import io.remuda.coordinator.schedule.model.UserLimits;
import java.util.Objects;

/**
 * A user who may submit jobs, or was allowed to earlier; or the limits of all users.
 *
 * @param name {@link UserLimits#ALL_USERS} for the limits of all users
 * @param share the user's share of the machines, relative to others, above 0
 * @param tokenHash SHA-256 of the user's token, as hexadecimal digits; the token is not stored.
 *     {@link #REMOVED} or {@link #RENEW} if no token is valid
 * @param limits what the user's tasks and jobs may have at once
 */
public record UserRow(String name, double share, String tokenHash, UserLimits limits) {

  /** Replaces the hash of a user who was removed. */
  public static final String REMOVED = "removed";

  /** Replaces the hash of a user who needs a new token because the old one was sent unencrypted. */
  public static final String RENEW = "renew";

  public UserRow {
    Objects.requireNonNull(limits, "limits");
  }

  /** Creates a user with the limits of all users. */
  public UserRow(String name, double share, String tokenHash) {
    this(name, share, tokenHash, UserLimits.USUAL);
  }

  /** Returns the limits of all users, as a row. */
  public static UserRow ofAll(UserLimits limits) {
    return new UserRow(UserLimits.ALL_USERS, 1, REMOVED, limits);
  }

  /** Returns the user without a valid token, for the reason {@link #REMOVED} or {@link #RENEW}. */
  public UserRow without(String why) {
    return new UserRow(name, share, why, limits);
  }

  /** Returns the user with other limits. */
  public UserRow with(UserLimits others) {
    return new UserRow(name, share, tokenHash, others);
  }

  public boolean isRemoved() {
    return tokenHash.equals(REMOVED);
  }

  /** Returns whether the user has a valid token. */
  public boolean hasToken() {
    return !isRemoved() && !tokenHash.equals(RENEW);
  }
}
