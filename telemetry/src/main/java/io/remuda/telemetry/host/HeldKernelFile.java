package io.remuda.telemetry.host;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * A small text file that the kernel generates, which is read again and again: it stays open, which
 * costs a seventh of opening it each time. A file that cannot be read is empty, and is opened again
 * the next time. Not thread-safe; closed by the garbage collector, as it lives as long as its
 * machine.
 */
final class HeldKernelFile {
  private static final int MOST_BYTES = 1 << 20;

  /** What the JDK reads without memory of its own for it. */
  private static final int PART = 8192;

  private final Path path;
  private RandomAccessFile file;
  private byte[] bytes = new byte[PART];
  private int length;

  HeldKernelFile(Path path) {
    this.path = path;
  }

  /** Reads it; the words are valid until the next reading. */
  KernelWords words() {
    read();
    return new KernelWords(bytes, length);
  }

  private void read() {
    length = 0;
    try {
      if (file == null) {
        file = new RandomAccessFile(path.toFile(), "r");
      } else {
        file.seek(0);
      }
      int got = file.read(bytes, 0, PART);
      while (got > 0) {
        length += got;
        if (length + PART > bytes.length) {
          if (bytes.length >= MOST_BYTES) {
            return;
          }
          bytes = Arrays.copyOf(bytes, bytes.length * 2);
        }
        got = file.read(bytes, length, PART);
      }
    } catch (FileNotFoundException none) {
      length = 0;
    } catch (IOException fault) { // such as a device that is gone
      length = 0;
      forget();
    }
  }

  private void forget() {
    try (RandomAccessFile old = file) {
      file = null;
    } catch (IOException closed) {
      file = null; // there is nothing more to do with it
    }
  }
}
