package io.remuda.agent.output;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;

/** Gives parts of files back to the file system, whose offsets and sizes stay as they are. */
public interface HolePuncher {

  /** A file in which holes can be made, wherever it is moved meanwhile. */
  interface OpenFile extends Closeable {
    /**
     * Makes a hole of a range; where there is one already it stays.
     *
     * @throws HolesUnsupported if this file system has none
     */
    void punch(DroppedRange range) throws IOException;
  }

  /** Opens a regular file that is not a link. */
  OpenFile open(Path file) throws IOException;
}
