package io.remuda.coordinator.store;

/** The file is there but does not hold what was written; the message says what to do. */
public final class StoreDamaged extends Exception {
  private static final long serialVersionUID = 1;

  public StoreDamaged(String message) {
    super(message);
  }

  public StoreDamaged(String message, Throwable cause) {
    super(message, cause);
  }
}
