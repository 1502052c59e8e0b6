package io.remuda.coordinator.store;

import java.io.IOException;

/** Thrown if the state cannot be read because its database is away; it may be back any moment. */
public final class StateAwayException extends IOException {

  private static final long serialVersionUID = 1;

  StateAwayException(String message, Throwable cause) {
    super(message, cause);
  }
}
