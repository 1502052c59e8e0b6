package io.remuda.coordinator.store;

import java.io.IOException;

/** Thrown if a server uses the state file. */
public final class StateInUseException extends IOException {

  private static final long serialVersionUID = 1;

  public StateInUseException(String message) {
    super(message);
  }
}
