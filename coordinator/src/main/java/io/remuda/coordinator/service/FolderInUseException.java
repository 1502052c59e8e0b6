package io.remuda.coordinator.service;

import java.io.IOException;

/** Thrown if another server uses the state folder. */
public final class FolderInUseException extends IOException {
  private static final long serialVersionUID = 1;

  FolderInUseException(String message) {
    super(message);
  }
}
