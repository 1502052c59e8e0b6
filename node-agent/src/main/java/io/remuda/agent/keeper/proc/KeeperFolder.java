package io.remuda.agent.keeper.proc;

import io.remuda.file.AtomicFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** The keeper's files in its node's folder, to which other users have no access. */
public record KeeperFolder(Path path) {
  /** A Unix socket's address holds 107 bytes; some are left for drafts next to it. */
  static final int SOCKET_PATH_LIMIT = 100;

  public KeeperFolder {
    path = path.toAbsolutePath().normalize();
  }

  public Path socket() {
    return path.resolve("keeper.sock");
  }

  public Path lock() {
    return path.resolve("keeper.lock");
  }

  /** Returns the file with pid and start ticks of the keeper, separated by a blank. */
  public Path pid() {
    return path.resolve("keeper.pid");
  }

  /** Throws IllegalArgumentException, with advice, if the socket's path is too long. */
  public void requireShort() {
    int bytes = socket().toString().getBytes(StandardCharsets.UTF_8).length;
    if (bytes > SOCKET_PATH_LIMIT) {
      throw new IllegalArgumentException(
          socket()
              + ": "
              + bytes
              + " bytes are too long for a socket's path, the limit is "
              + SOCKET_PATH_LIMIT
              + "; choose a shorter node folder");
    }
  }

  /** Creates the folder, if it is missing, and closes it to other users. */
  public void prepare() throws IOException {
    Files.createDirectories(path);
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwx------"));
  }

  /**
   * Locks the folder for the life of this process.
   *
   * @return false if another keeper holds the lock
   */
  public boolean lockForLife() throws IOException {
    int flags = Posix.O_RDWR | Posix.O_CREAT | Posix.O_CLOEXEC | Posix.O_NOFOLLOW;
    int fd = Posix.open(CStrings.of(lock().toString()), flags, 0600);
    if (fd < 0) {
      throw new IOException(lock() + ": " + Errno.text(Posix.errno()));
    }
    if (Posix.flock(fd, Posix.LOCK_EX | Posix.LOCK_NB) == 0) {
      return true;
    }
    int error = Posix.errno();
    Posix.close(fd);
    if (error == Errno.EAGAIN) {
      return false;
    }
    throw new IOException(lock() + ": cannot be locked: " + Errno.text(error));
  }

  public void writePid(ProcStat self) throws IOException {
    Path draft = path.resolve("keeper.pid.tmp");
    try {
      Files.writeString(draft, self.pid() + " " + self.startTicks() + "\n");
    } catch (IOException fault) {
      throw new FileSystemException(pid().toString(), null, fault.getMessage());
    }
    AtomicFile.replace(draft, pid());
  }

  /** Returns the pid in the file, or "?" if the file cannot be read. */
  public String pidText() {
    try {
      String text = Files.readString(pid());
      return text.substring(0, Math.max(text.indexOf(' '), 0));
    } catch (IOException unreadable) {
      return "?";
    }
  }
}
