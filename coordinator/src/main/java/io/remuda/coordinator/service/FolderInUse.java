package io.remuda.coordinator.service;

import java.io.IOException;

/** Thrown if another server uses the state folder. */
public final class FolderInUse extends IOException {
  private static final long serialVersionUID = 1;

  FolderInUse(String message) {
    super(message);
  }
}
