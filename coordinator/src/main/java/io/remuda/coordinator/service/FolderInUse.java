package io.remuda.coordinator.service;

import java.io.IOException;

/** Another server has the state folder. */
public final class FolderInUse extends IOException {
  private static final long serialVersionUID = 1;

  FolderInUse(String message) {
    super(message);
  }
}
