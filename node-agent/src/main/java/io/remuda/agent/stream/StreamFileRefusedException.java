package io.remuda.agent.stream;

import java.io.IOException;

/** A file that the user has named for a stream cannot be used; the message is for the user. */
public final class StreamFileRefusedException extends IOException {
  private static final long serialVersionUID = 1;

  StreamFileRefusedException(String message) {
    super(message);
  }
}
