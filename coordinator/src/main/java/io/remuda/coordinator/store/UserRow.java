package io.remuda.coordinator.store;

/**
 * Somebody who may submit jobs, or might once.
 *
 * @param share of the machines that the user is due, relative to others, above 0
 * @param tokenHash SHA-256 of the user's token, as hexadecimal digits; the token is kept nowhere.
 *     {@link #REMOVED} or {@link #RENEW} where no token is valid
 */
public record UserRow(String name, double share, String tokenHash) {

  /** In place of a hash: the user may no longer do anything. */
  public static final String REMOVED = "removed";

  /** In place of a hash: the token was told in clear text, and the user needs another. */
  public static final String RENEW = "renew";

  /** The same user without a valid token. */
  public UserRow without(String why) {
    return new UserRow(name, share, why);
  }

  public boolean isRemoved() {
    return tokenHash.equals(REMOVED);
  }

  /** Whether any token lets the user in. */
  public boolean hasToken() {
    return !isRemoved() && !tokenHash.equals(RENEW);
  }
}
