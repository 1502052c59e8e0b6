package io.remuda.coordinator.store.row;

/** Thrown if the state file is damaged, incomplete or too new; the message says what to do. */
public final class StoreDamaged extends Exception {
  private static final long serialVersionUID = 1;

  public StoreDamaged(String message) {
    super(message);
  }

  public StoreDamaged(String message, Throwable cause) {
    super(message, cause);
  }
}
