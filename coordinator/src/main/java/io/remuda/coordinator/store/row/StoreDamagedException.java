package io.remuda.coordinator.store.row;

/** Thrown if the state is damaged, incomplete or too new; the message says what to do. */
public class StoreDamagedException extends Exception {
  private static final long serialVersionUID = 1;

  public StoreDamagedException(String message) {
    super(message);
  }

  public StoreDamagedException(String message, Throwable cause) {
    super(message, cause);
  }

  /**
   * Throws if a newer build has written the state, or none.
   *
   * @param found version of its schema
   * @param known the newest version that this build knows
   * @param other what to use in place of this state, in words
   */
  public static void requireKnown(int found, int known, String other) throws StoreDamagedException {
    if (found < 0) {
      throw new StoreDamagedException(
          "its schema has version " + found + ", which no build writes: it is damaged");
    }
    if (found > known) {
      throw new OtherBuildStateException(
          "its schema has version "
              + found
              + ", this build knows "
              + known
              + ": use the newer build, or another "
              + other);
    }
  }
}
