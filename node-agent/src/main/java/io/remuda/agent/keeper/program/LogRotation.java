package io.remuda.agent.keeper.program;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Set;

/**
 * Keeps a log that this process appends to within a size: what is there is copied to {@code LOG.1},
 * and that of earlier turns goes to {@code LOG.2} and so on. The file stays the same, since this
 * process, its JVM and a guardian have it open. A crash at any moment loses no line: the copy is
 * complete under its name before the log is emptied. Used by the thread that writes the log.
 */
final class LogRotation {

  /** Size in bytes at which a log is moved aside. */
  static final long MOST_BYTES = 10L << 20;

  /** The logs that we open ourselves, with how many older ones are kept; other files are left. */
  private static final Map<String, Integer> OURS =
      Map.of("serve.log", 3, "agent.log", 1, "keeper.log", 1);

  /** After so many written bytes the size is looked at again: others may write to it, too. */
  private static final int LOOK_BYTES = 64 << 10;

  private final Path log;
  private final int kept;
  private final long mostBytes;
  private int sinceLook = LOOK_BYTES; // the log of an earlier process may be large

  /**
   * @param log null for none
   * @param kept number of older ones
   */
  LogRotation(Path log, int kept, long mostBytes) {
    this.log = log;
    this.kept = kept;
    this.mostBytes = mostBytes;
  }

  /** Returns the rotation of the file that a descriptor of this process leads to, by its name. */
  static LogRotation ofDescriptor(int descriptor) {
    try {
      Path file = Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor));
      Integer kept = OURS.get(String.valueOf(file.getFileName()));
      if (kept != null && Files.isRegularFile(file)) {
        return new LogRotation(file, kept, MOST_BYTES);
      }
    } catch (IOException | RuntimeException unknown) {
      return new LogRotation(null, 0, MOST_BYTES); // closed, or no /proc
    }
    return new LogRotation(null, 0, MOST_BYTES);
  }

  /** Looks from time to time at the size of the log, before this many bytes are written to it. */
  void before(int bytes) {
    sinceLook += bytes;
    if (log == null || sinceLook < Math.min(LOOK_BYTES, mostBytes)) {
      return;
    }
    sinceLook = 0;
    try {
      rotate();
    } catch (IOException stays) {
      return; // as it is, as on a full disk, and the next look tries again
    }
  }

  /**
   * Moves the content of the log aside if it is larger than it may be.
   *
   * @return whether it was
   */
  boolean rotate() throws IOException {
    if (!Files.exists(log) || Files.size(log) <= mostBytes) {
      return false;
    }
    Path draft = log.resolveSibling(log.getFileName() + ".new");
    Files.deleteIfExists(draft);
    try (FileChannel from =
            FileChannel.open(log, StandardOpenOption.READ, StandardOpenOption.WRITE);
        FileChannel to =
            FileChannel.open(
                draft,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(
                    PosixFilePermissions.fromString("rw-------")))) {
      long copied = 0;
      while (copied < from.size()) {
        copied += from.transferTo(copied, from.size() - copied, to);
      }
      for (int number = kept; number > 1; number--) {
        move(old(number - 1), old(number));
      }
      move(draft, old(1));
      from.truncate(0);
    } finally {
      Files.deleteIfExists(draft); // of a copy that failed
    }
    return true;
  }

  private Path old(int number) {
    return log.resolveSibling(log.getFileName() + "." + number);
  }

  private static void move(Path from, Path to) throws IOException {
    try {
      Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
    } catch (NoSuchFileException none) {
      return; // so many turns there have not been yet
    }
  }
}
