package io.remuda.agent.output;

import java.io.IOException;

/** The file system does not support holes. */
public final class HolesUnsupported extends IOException {
  private static final long serialVersionUID = 1;

  HolesUnsupported(String message) {
    super(message);
  }
}
