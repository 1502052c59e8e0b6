package io.remuda.agent.stream;

import java.io.IOException;

/** A file that the user has named for a stream cannot be used; the message is for the user. */
public final class StreamRefused extends IOException {
  private static final long serialVersionUID = 1;

  StreamRefused(String message) {
    super(message);
  }
}
