package io.remuda.coordinator.store.row;

/**
 * A user who may submit jobs, or was allowed to earlier.
 *
 * @param share the user's share of the machines, relative to others, above 0
 * @param tokenHash SHA-256 of the user's token, as hexadecimal digits; the token is not stored.
 *     {@link #REMOVED} or {@link #RENEW} if no token is valid
 */
public record UserRow(String name, double share, String tokenHash) {

  /** Replaces the hash of a user who was removed. */
  public static final String REMOVED = "removed";

  /** Replaces the hash of a user who needs a new token because the old one was sent unencrypted. */
  public static final String RENEW = "renew";

  /** Returns the user without a valid token, for the reason {@link #REMOVED} or {@link #RENEW}. */
  public UserRow without(String why) {
    return new UserRow(name, share, why);
  }

  public boolean isRemoved() {
    return tokenHash.equals(REMOVED);
  }

  /** Returns whether the user has a valid token. */
  public boolean hasToken() {
    return !isRemoved() && !tokenHash.equals(RENEW);
  }
}
