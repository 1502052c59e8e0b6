package io.remuda.coordinator.cli.freeze;

/** A working tree cannot be frozen; the message says why and what to do. */
public final class WorkingTreeFreezeException extends Exception {
  private static final long serialVersionUID = 1;

  WorkingTreeFreezeException(String message) {
    super(message);
  }
}
