package io.remuda.agent.settings;

import io.remuda.file.AtomicFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A file of mode 0600 that one process locks until it ends. Earlier builds created such files
 * readable by all, so that any user could hold a read lock forever; such a file is replaced. The
 * kernel drops the lock when any descriptor of the file is closed, so a file that this process
 * holds is not opened again. Any thread.
 */
public final class LockFile implements Closeable {

  private static final Set<PosixFilePermission> MODE = PosixFilePermissions.fromString("rw-------");
  private static final FileAttribute<?> OWN = PosixFilePermissions.asFileAttribute(MODE);
  private static final int TRIES = 20;

  /** The files that this process holds, or tries to take, by absolute path. */
  private static final Set<Path> OURS = ConcurrentHashMap.newKeySet();

  private final Path file;
  private final FileChannel channel;
  private final FileChannel replaced; // kept locked for processes that opened it before, or null

  private boolean closed;

  private LockFile(Path file, FileChannel channel, FileChannel replaced) {
    this.file = file;
    this.channel = channel;
    this.replaced = replaced;
  }

  /**
   * Takes the lock; returns empty if a process of this user holds it.
   *
   * @param file created if it is missing
   */
  public static synchronized Optional<LockFile> take(Path file) throws IOException {
    Path ours = ours(file);
    if (!OURS.add(ours)) {
      return Optional.empty();
    }
    Optional<LockFile> taken = Optional.empty();
    try {
      taken = takeFromOthers(file);
      return taken;
    } finally {
      if (taken.isEmpty()) {
        OURS.remove(ours);
      }
    }
  }

  private static Path ours(Path file) {
    return file.toAbsolutePath().normalize();
  }

  private static Optional<LockFile> takeFromOthers(Path file) throws IOException {
    for (int tries = 0; tries < TRIES; tries++) {
      FileChannel channel = open(file);
      Object key = key(file);
      boolean exposed = isExposed(file);
      if (isTaken(channel)) {
        if (key.equals(key(file))) {
          return Optional.of(
              exposed ? replace(file, channel) : new LockFile(ours(file), channel, null));
        }
        channel.close(); // the file was replaced meanwhile
        continue;
      }
      boolean stranger = exposed && isHeldByReadersAlone(channel);
      channel.close();
      if (!stranger) {
        return Optional.empty();
      }
      evict(file, key);
    }
    throw new IOException(file + " is replaced repeatedly by other processes");
  }

  /** Returns whether a process of this user holds the lock. */
  public static synchronized boolean isHeld(Path file) throws IOException {
    if (OURS.contains(ours(file))) {
      return true;
    } else if (!file.toFile().exists()) {
      return false;
    }
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      return !isTaken(channel) && !(isExposed(file) && isHeldByReadersAlone(channel));
    }
  }

  private static FileChannel open(Path file) throws IOException {
    return FileChannel.open(
        file,
        Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE),
        OWN);
  }

  private static Object key(Path file) throws IOException {
    try {
      return Files.getAttribute(file, "unix:ino");
    } catch (NoSuchFileException removed) {
      return removed;
    }
  }

  private static boolean isExposed(Path file) throws IOException {
    try {
      return !MODE.containsAll(Files.getPosixFilePermissions(file));
    } catch (NoSuchFileException removed) {
      return false;
    }
  }

  /** Takes the lock if it is free; closing the channel releases it. */
  private static boolean isTaken(FileChannel channel) throws IOException {
    try {
      return channel.tryLock() != null;
    } catch (OverlappingFileLockException ours) {
      return false;
    }
  }

  /**
   * Returns whether only read locks are held. Remuda never takes read locks, so these belong to
   * users without write permission.
   */
  private static boolean isHeldByReadersAlone(FileChannel channel) throws IOException {
    try (FileLock shared = channel.tryLock(0, Long.MAX_VALUE, true)) {
      return shared != null;
    } catch (OverlappingFileLockException ours) {
      return false;
    }
  }

  /** Puts a new, already locked file in the place of one that this process has locked. */
  private static LockFile replace(Path file, FileChannel held) throws IOException {
    Path next = file.resolveSibling(file.getFileName() + ".new");
    Files.deleteIfExists(next);
    FileChannel channel = open(next);
    if (!isTaken(channel)) {
      throw new IOException(next + " is in use");
    }
    AtomicFile.replace(next, file);
    return new LockFile(ours(file), channel, held);
  }

  /**
   * Removes a file that other users have read-locked. One process at a time, and only if it is
   * still the file with this key, so that no process removes another's new file.
   */
  private static void evict(Path file, Object key) throws IOException {
    try (FileChannel door = open(file.resolveSibling(file.getFileName() + ".door"));
        FileLock turn = door.lock()) {
      if (turn.isValid() && key.equals(key(file)) && isExposed(file)) {
        Files.deleteIfExists(file);
      }
    }
  }

  /** Releases the lock. Once more does nothing: another may have taken it since. */
  @Override
  public void close() throws IOException {
    synchronized (LockFile.class) { // nobody of this process finds it neither held nor free
      if (closed) {
        return;
      }
      closed = true;
      try {
        channel.close();
        if (replaced != null) {
          replaced.close();
        }
      } finally {
        OURS.remove(file);
      }
    }
  }
}
