package io.remuda.coordinator.cli.stream;

import java.io.IOException;

/** The stdin of this command, of which a job reads as much as it wants. */
interface InputSource {

  /** Maximum number of bytes at a time. */
  int PART = 64 << 10;

  /** Thrown if bytes are asked for again that are not kept. */
  final class NotKeptException extends IOException {
    private static final long serialVersionUID = 1;

    NotKeptException() {
      super("what was read of stdin is not kept");
    }
  }

  /**
   * Returns bytes, at most {@link #PART}.
   *
   * @param offset of the first one, up to the end of what was returned before
   * @param millis how long to wait for one
   * @return empty if there is none yet, null at the end
   */
  byte[] from(long offset, long millis) throws IOException, InterruptedException;

  /** Notes that the job has read this many bytes, and will read no more. */
  void used(long bytes) throws IOException;
}
