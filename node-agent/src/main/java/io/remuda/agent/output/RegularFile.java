package io.remuda.agent.output;

import com.sun.jna.Native;
import io.remuda.agent.keeper.proc.CStrings;
import java.io.FileNotFoundException;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * Opens files whose names or contents users choose. To open a pipe waits until somebody has its
 * other end, maybe for ever, and to open a device may do something; so what a path leads to is
 * looked at before it is opened, in a way that nobody can change it between the two. A file server
 * that is away still blocks.
 */
public final class RegularFile {

  /** Opens a file by a name that leads to it alone. */
  private interface Opening<T> {
    T of(Path found) throws IOException;
  }

  private RegularFile() {}

  /**
   * Opens a file to read it; the caller closes it.
   *
   * @throws NoSuchFileException if there is none
   * @throws IOException if it is not a regular file, or cannot be read; the message has the path
   */
  public static RandomAccessFile open(Path file) throws IOException {
    return open(file, 0, RegularFile::reading);
  }

  /**
   * Opens exactly this file to read it, whatever its name leads to; the caller closes it.
   *
   * @throws NoSuchFileException if there is none
   * @throws IOException if another file, or a symbolic link, has its name, or it cannot be read
   */
  static RandomAccessFile open(Path file, FileIdentity identity) throws IOException {
    return open(
        file,
        PosixFiles.O_NOFOLLOW,
        found -> {
          if (!FileIdentity.of(found).equals(identity)) {
            throw new IOException(file + " is another file");
          }
          return reading(found);
        });
  }

  private static RandomAccessFile reading(Path found) throws IOException {
    return new RandomAccessFile(found.toFile(), "r");
  }

  /**
   * Opens a file that is there to append to it; the caller closes it.
   *
   * @throws NoSuchFileException if there is none
   * @throws IOException if it is not a regular file, or cannot be written; the message has the path
   */
  public static OutputStream append(Path file) throws IOException {
    return open(file, 0, found -> new FileOutputStream(found.toFile(), true));
  }

  private static <T> T open(Path file, int flags, Opening<T> opening) throws IOException {
    byte[] name = CStrings.of(file.toString());
    int fd = PosixFiles.open(name, PosixFiles.O_PATH | PosixFiles.O_CLOEXEC | flags, 0);
    if (fd < 0) {
      throw fault(file, Native.getLastError());
    }
    Path found = Path.of("/proc/self/fd", Integer.toString(fd)); // whatever is renamed meanwhile
    try {
      if (!Files.isRegularFile(found)) {
        throw new IOException(file + " is not a regular file");
      }
      return opening.of(found);
    } catch (FileNotFoundException denied) {
      throw new IOException(file + denied.getMessage().replace(found.toString(), ""), denied);
    } finally {
      PosixFiles.close(fd);
    }
  }

  private static IOException fault(Path file, int errno) {
    return errno == PosixFiles.ENOENT
        ? new NoSuchFileException(file.toString())
        : new IOException(file + ": " + PosixFiles.strerror(errno).getString(0));
  }
}
