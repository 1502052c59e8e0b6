package io.remuda.agent.output;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;

/** Frees the disk space of parts of files; offsets and sizes do not change. */
public interface HolePuncher {

  /** An open file; it may be moved meanwhile. */
  interface OpenFile extends Closeable {
    /**
     * Makes a hole; existing holes in the range stay.
     *
     * @throws HolesUnsupportedException if the file system does not support holes
     */
    void punch(DroppedRange range) throws IOException;
  }

  /** Opens a regular file; rejects symbolic links. */
  OpenFile open(Path file) throws IOException;
}
