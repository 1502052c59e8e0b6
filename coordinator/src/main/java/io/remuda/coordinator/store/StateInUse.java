package io.remuda.coordinator.store;

import java.io.IOException;

/** Thrown if a server uses the state file. */
public final class StateInUse extends IOException {

  private static final long serialVersionUID = 1;

  public StateInUse(String message) {
    super(message);
  }
}
