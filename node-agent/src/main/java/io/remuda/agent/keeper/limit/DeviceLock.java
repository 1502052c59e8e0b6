package io.remuda.agent.keeper.limit;

import io.remuda.agent.keeper.RefusalCode;
import io.remuda.agent.keeper.proc.CStrings;
import io.remuda.agent.keeper.proc.Errno;
import io.remuda.agent.keeper.proc.KeeperLog;
import io.remuda.agent.keeper.proc.Posix;
import io.remuda.agent.keeper.proc.SpawnFailureException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The lock of one device: a locked file and a {@linkplain DeviceSocketLock socket name}. The file
 * is opened without following links and is never deleted; its only line names the holder. Guarded
 * by {@link DeviceLocks}.
 */
public final class DeviceLock {
  private static final int FILE_MODE = 0666;
  private static final int OPEN_FLAGS =
      Posix.O_RDWR | Posix.O_NOFOLLOW | Posix.O_CLOEXEC | Posix.O_NONBLOCK;

  /** The lowest number for its descriptors, above all that a child's own are duplicated to. */
  private static final int LOWEST_FD = 200;

  private final String path;
  private final String uuid;
  private final int fd;
  private final int name;
  private int shares;
  private boolean missed;
  private volatile String holder = "";

  private DeviceLock(Path file, String uuid, int fd, int name) {
    this.path = file.toString();
    this.uuid = uuid;
    this.fd = fd;
    this.name = name;
  }

  static DeviceLock take(Path file, String uuid) throws SpawnFailureException {
    for (int round = 0; round < 5; round++) {
      int fd = open(file);
      if (Posix.flock(fd, Posix.LOCK_EX | Posix.LOCK_NB) != 0) {
        int error = Posix.errno();
        Posix.close(fd);
        throw refusal(file, uuid, error);
      }
      if (isStill(file, fd)) {
        DeviceLock lock = new DeviceLock(file, uuid, fd, name(file, uuid, fd));
        lock.name(Posix.getpid(), "");
        return lock;
      }
      Posix.close(fd); // the file was removed between open and lock
    }
    throw unusable(file, "it keeps being replaced");
  }

  private static int name(Path file, String uuid, int fd) throws SpawnFailureException {
    try {
      return DeviceSocketLock.take(file, uuid);
    } catch (SpawnFailureException refused) {
      Posix.close(fd);
      throw refused;
    }
  }

  String uuid() {
    return uuid;
  }

  /** Logs once if the file was removed or replaced. The socket name still locks the device. */
  void check() {
    if (!missed && !isStill(Path.of(path), fd)) {
      missed = true;
      KeeperLog.line(
          "keeper: the lock file "
              + path
              + " was removed while "
              + uuid
              + " is lent (its folder belongs to "
              + LockHolderDescription.owner(Path.of(path).getParent())
              + "); other keepers of this build still cannot lend it");
    }
  }

  /** Returns whether {@code file} is the file of this lock. */
  public boolean isIn(String file) {
    return path.equals(file);
  }

  /** Returns the descriptors that a task inherits: they lock the device while the task lives. */
  public List<Integer> fds() {
    return List.of(fd, name);
  }

  /** Adds to the number of tasks that share the lock and returns the new number. */
  int share(int more) {
    shares += more;
    return shares;
  }

  /** Writes the holder into the file, for the message to others; the last task wins. */
  public void name(long pid, String key) {
    holder = "pid " + pid + " of user " + System.getProperty("user.name");
    if (!key.isEmpty()) {
      holder += " (task " + key + ")";
    }
    refresh();
  }

  void refresh() {
    byte[] line = (holder + "\n").getBytes(StandardCharsets.UTF_8);
    Posix.pwrite(fd, line, line.length, 0);
    Posix.ftruncate(fd, line.length);
  }

  /** Closes without LOCK_UN, which would also unlock it for the tasks that inherited it. */
  void close() {
    Posix.close(fd);
    Posix.close(name);
  }

  private static int open(Path file) throws SpawnFailureException {
    byte[] path = CStrings.of(file.toString());
    // First without O_CREAT: with fs.protected_regular, a file of another user in a sticky folder
    // can be opened only this way.
    int fd = Posix.open(path, OPEN_FLAGS, 0);
    if (fd < 0 && Posix.errno() == Errno.ENOENT) {
      fd = Posix.open(path, OPEN_FLAGS | Posix.O_CREAT | Posix.O_EXCL, FILE_MODE);
      if (fd >= 0) {
        Posix.fchmod(fd, FILE_MODE); // regardless of the umask
      } else if (Posix.errno() == Errno.EEXIST) {
        fd = Posix.open(path, OPEN_FLAGS, 0);
      }
    }
    if (fd < 0) {
      int error = Posix.errno();
      throw unusable(file, error == Errno.ELOOP ? "it is a link" : Errno.text(error));
    }
    int high = Posix.fcntl(fd, Posix.F_DUPFD_CLOEXEC, LOWEST_FD);
    int error = Posix.errno();
    Posix.close(fd);
    if (high < 0) {
      throw unusable(file, Errno.text(error));
    }
    return requirePlainFile(file, high);
  }

  /** Refuses special files and hard links: writing the holder could destroy another file's data. */
  private static int requirePlainFile(Path file, int fd) throws SpawnFailureException {
    String problem;
    try {
      Map<String, Object> facts =
          Files.readAttributes(Path.of("/proc/self/fd/" + fd), "unix:isRegularFile,nlink");
      boolean plain = Boolean.TRUE.equals(facts.get("isRegularFile"));
      problem = !plain ? "not a plain file" : links(facts) > 1 ? "it has a second hard link" : null;
    } catch (IOException unreadable) {
      problem = unreadable.toString();
    }
    if (problem != null) {
      Posix.close(fd);
      throw unusable(file, problem);
    }
    return fd;
  }

  private static int links(Map<String, Object> facts) {
    return ((Number) facts.get("nlink")).intValue();
  }

  private static boolean isStill(Path file, int fd) {
    try {
      Object there = Files.getAttribute(file, "unix:ino", LinkOption.NOFOLLOW_LINKS);
      return there.equals(Files.getAttribute(Path.of("/proc/self/fd/" + fd), "unix:ino"));
    } catch (IOException gone) {
      return false;
    }
  }

  private static SpawnFailureException refusal(Path file, String uuid, int error) {
    if (error != Errno.EAGAIN) {
      return unusable(file, Errno.text(error));
    }
    String stranger = LockHolderDescription.stranger(file);
    if (!stranger.isEmpty()) {
      return new SpawnFailureException(
          RefusalCode.DEVICE_BUSY, uuid + " is kept by " + stranger + ", which has locked " + file);
    }
    String holder = DeviceLocks.holderText(file);
    return new SpawnFailureException(
        RefusalCode.DEVICE_BUSY,
        uuid + " is lent by " + (holder.isEmpty() ? "another process" : holder));
  }

  private static SpawnFailureException unusable(Path file, String why) {
    return new SpawnFailureException(
        RefusalCode.DEVICE_LOCK_UNUSABLE,
        "device lock "
            + file
            + " of "
            + LockHolderDescription.owner(file)
            + " is unusable: "
            + why
            + "; its tasks wait until that is fixed, or set REMUDA_DEVICE_LOCKS to another"
            + " folder for all users");
  }
}
