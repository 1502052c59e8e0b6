package io.remuda.coordinator.cli.background;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a log that this process appends to within a size: what is there goes to {@code LOG.1}, and
 * that of earlier turns to {@code LOG.2} and {@code LOG.3}. The file stays the same, since this
 * process and its JVM have it open; so a line that is written in the same moment may be lost.
 */
public final class LogRotation {

  /** Size in bytes at which a log is moved aside. */
  public static final long MOST_BYTES = 10L << 20;

  private static final Logger LOG = LoggerFactory.getLogger(LogRotation.class);
  private static final int KEPT = 3;
  private static final long PERIOD_MILLIS = 5000;

  private LogRotation() {}

  /** Begins to look at the log every 5 s, on a thread of its own, until the process ends. */
  public static void watch(Path log) {
    Thread thread = new Thread(() -> look(log), "log-rotation");
    thread.setDaemon(true);
    thread.start();
  }

  private static void look(Path log) {
    try {
      while (true) {
        turn(log, MOST_BYTES);
        Thread.sleep(PERIOD_MILLIS);
      }
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }

  private static void turn(Path log, long mostBytes) {
    try {
      rotate(log, mostBytes);
    } catch (IOException fault) {
      LOG.debug("{} stays as it is", log, fault); // as on a full disk; the next look tries again
    }
  }

  /**
   * Moves the content of the log aside if it is larger than this.
   *
   * @return whether it was
   */
  static boolean rotate(Path log, long mostBytes) throws IOException {
    if (!Files.exists(log) || Files.size(log) <= mostBytes) {
      return false;
    }
    for (int number = KEPT; number > 1; number--) {
      move(old(log, number - 1), old(log, number));
    }
    try (FileChannel from =
            FileChannel.open(log, StandardOpenOption.READ, StandardOpenOption.WRITE);
        FileChannel to =
            FileChannel.open(
                old(log, 1),
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(
                    PosixFilePermissions.fromString("rw-------")))) {
      long copied = 0;
      while (copied < from.size()) {
        copied += from.transferTo(copied, from.size() - copied, to);
      }
      from.truncate(0);
    }
    return true;
  }

  private static Path old(Path log, int number) {
    return log.resolveSibling(log.getFileName() + "." + number);
  }

  private static void move(Path from, Path to) throws IOException {
    try {
      Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
    } catch (NoSuchFileException none) {
      LOG.trace("no {} yet", from);
    }
  }
}
