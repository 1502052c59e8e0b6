package io.remuda.agent.output;

import java.io.IOException;

/** The file system does not support holes. */
public final class HolesUnsupportedException extends IOException {
  private static final long serialVersionUID = 1;

  HolesUnsupportedException(String message) {
    super(message);
  }
}
