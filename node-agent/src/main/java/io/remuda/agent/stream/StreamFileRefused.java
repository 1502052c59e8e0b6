package io.remuda.agent.stream;

import java.io.IOException;

/** A file that the user has named for a stream cannot be used; the message is for the user. */
public final class StreamFileRefused extends IOException {
  private static final long serialVersionUID = 1;

  StreamFileRefused(String message) {
    super(message);
  }
}
