package io.remuda.agent.channel;

import java.io.Closeable;
import java.io.IOException;

/** The end of a channel on a node. No method waits. One thread. */
public interface TaskChannel extends Closeable {

  /** Nothing can be read, and nothing ever will. */
  int ENDED = -1;

  /**
   * Takes bytes.
   *
   * @return how many were taken; 0 if none can be taken now
   * @throws IOException if none will ever be taken
   */
  int write(byte[] bytes, int from) throws IOException;

  /** No bytes will be written any more. */
  void endInput() throws IOException;

  /**
   * Reads bytes.
   *
   * @return their number; 0 if there are none now, or {@link #ENDED}
   */
  int read(byte[] into) throws IOException;

  /** Returns the number of bytes that were taken and that nobody has read. */
  int unread();

  /** Returns whether bytes come from it, so that it has to be read. */
  default boolean isReadable() {
    return true;
  }

  /** Returns the exit code of its program; null if it has none, or runs. */
  default Integer exitCode() {
    return null;
  }

  /** Sets the size of its terminal, if it is one. */
  default void resize(int rows, int columns) {}

  /** The attempt beside which it is has ended. */
  default void attemptEnded() throws IOException {}
}
