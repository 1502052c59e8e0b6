package io.remuda.agent.keeper.proc;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.util.function.IntSupplier;

/**
 * Reads the newest pid of this pid namespace from a file that stays open, since that is asked twice
 * for each short task. One thread.
 */
final class LastPidReader implements IntSupplier {

  private static final String FILE = "/proc/loadavg";

  private final String path;
  private final byte[] line = new byte[128];

  /** Null if it is not open. */
  private RandomAccessFile file;

  LastPidReader() {
    this(FILE);
  }

  LastPidReader(String path) {
    this.path = path;
  }

  /** Returns the newest pid; a negative number if it is not known. */
  @Override
  public int getAsInt() {
    try {
      if (file == null) {
        file = new RandomAccessFile(path, "r");
      }
      file.seek(0);
      int length = file.read(line);
      String text = new String(line, 0, Math.max(0, length), US_ASCII).strip();
      return Integer.parseInt(text.substring(text.lastIndexOf(' ') + 1));
    } catch (IOException | NumberFormatException unknown) {
      close();
      return -1;
    }
  }

  /** So that it is opened again: what serves the file may have been started anew. */
  private void close() {
    try (RandomAccessFile closed = file) {
      file = null;
    } catch (IOException gone) {
      file = null;
    }
  }
}
