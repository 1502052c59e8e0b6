package io.remuda.agent.keeper.limit;

import io.remuda.agent.keeper.RefusalCode;
import io.remuda.agent.keeper.proc.CStrings;
import io.remuda.agent.keeper.proc.Errno;
import io.remuda.agent.keeper.proc.Posix;
import io.remuda.agent.keeper.proc.SpawnFailureException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Lends each device only once per machine: one file per device UUID, locked by flock.
 *
 * <p>The owner of the folder can remove a file, after which another keeper could create and lock a
 * new one and lend the device again. Therefore each device has a second lock that cannot be
 * removed, its {@link DeviceSocketLock}.
 *
 * <p>Tasks inherit the descriptors. A lock therefore lives until the keeper has released it and all
 * processes that inherited it are gone, even after kill -9 of the keeper. Tasks of one keeper share
 * one descriptor per device. A task that closes descriptors it does not know gives its share back
 * early; the keeper's own remains until the task's tree is gone.
 *
 * <p>Any thread.
 */
public final class DeviceLocks {
  /** The environment variable that names another folder for the locks. */
  public static final String FOLDER_VARIABLE = "REMUDA_DEVICE_LOCKS";

  static final String DEFAULT_FOLDER = "/tmp/remuda-devices";

  /** The suffix of the lock files. */
  public static final String SUFFIX = ".lock";

  private static final int FOLDER_MODE = 01777;
  private static final int STICKY = 01000;

  private final Path folder;
  private final Map<String, DeviceLock> held = new HashMap<>();

  public DeviceLocks(Path folder) {
    this.folder = folder;
  }

  /** Returns this machine's lock folder: {@link #FOLDER_VARIABLE} or {@link #DEFAULT_FOLDER}. */
  public static Path folder(Map<String, String> environment) {
    return Path.of(environment.getOrDefault(FOLDER_VARIABLE, DEFAULT_FOLDER));
  }

  /**
   * Takes all locks or none.
   *
   * @return one for each UUID, to be given back by {@link #release}
   */
  public List<DeviceLock> take(List<String> uuids) throws SpawnFailureException {
    return uuids.isEmpty() ? List.of() : takeAll(uuids);
  }

  private synchronized List<DeviceLock> takeAll(List<String> uuids) throws SpawnFailureException {
    List<DeviceLock> taken = new ArrayList<>(uuids.size());
    try {
      for (String uuid : uuids) {
        taken.add(takeOne(uuid));
      }
      return taken;
    } catch (SpawnFailureException refused) {
      release(taken);
      throw refused;
    }
  }

  public void release(List<DeviceLock> locks) {
    if (!locks.isEmpty()) { // a task without devices must not wait for the monitor
      releaseAll(locks);
    }
  }

  private synchronized void releaseAll(List<DeviceLock> locks) {
    for (DeviceLock lock : locks) {
      if (lock.share(-1) == 0) {
        held.remove(lock.uuid());
        lock.close();
      }
    }
  }

  /** Rewrites the files, so that cleaners of old temporary files leave them. */
  public synchronized void refresh() {
    for (DeviceLock lock : held.values()) {
      lock.refresh();
    }
  }

  /** Logs each locked file that was removed or replaced. */
  public synchronized void check() {
    for (DeviceLock lock : held.values()) {
      lock.check();
    }
  }

  private DeviceLock takeOne(String uuid) throws SpawnFailureException {
    DeviceLock lock = held.get(uuid);
    if (lock == null) {
      makeFolder();
      lock = DeviceLock.take(folder.resolve(fileName(uuid)), uuid);
      held.put(uuid, lock);
    }
    lock.share(1);
    return lock;
  }

  private void makeFolder() throws SpawnFailureException {
    if (Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
      requireTrusted();
      return;
    }
    byte[] path = CStrings.of(folder.toString());
    if (Posix.mkdir(path, FOLDER_MODE) == 0) {
      Posix.chmod(path, FOLDER_MODE); // regardless of the umask
    }
    if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
      throw new SpawnFailureException(
          RefusalCode.DEVICE_LOCK_UNUSABLE,
          "no folder for device locks at " + folder + ": " + Errno.text(Posix.errno()));
    }
  }

  /** Refuses another user's folder without sticky bit: that user could replace locked files. */
  private void requireTrusted() throws SpawnFailureException {
    try {
      int mode = (Integer) Files.getAttribute(folder, "unix:mode", LinkOption.NOFOLLOW_LINKS);
      int owner = (Integer) Files.getAttribute(folder, "unix:uid", LinkOption.NOFOLLOW_LINKS);
      int self = (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
      if ((mode & STICKY) == 0 && owner != 0 && owner != self) {
        throw new SpawnFailureException(
            RefusalCode.DEVICE_LOCK_UNUSABLE,
            folder
                + " belongs to user "
                + owner
                + " and has no sticky bit: ask its owner to remove it, or set REMUDA_DEVICE_LOCKS to another"
                + " folder for all users");
      }
    } catch (IOException fault) {
      throw new SpawnFailureException(
          RefusalCode.DEVICE_LOCK_UNUSABLE, "cannot examine " + folder + ": " + fault);
    }
  }

  /** Keeps letters, digits and '-'; replaces others, such as the '/' of a MIG UUID, by '_'. */
  static String fileName(String uuid) throws SpawnFailureException {
    if (uuid.isEmpty() || uuid.length() > 120) {
      throw new SpawnFailureException(RefusalCode.INVALID, "not a device UUID: '" + uuid + "'");
    }
    StringBuilder name = new StringBuilder(uuid.length());
    for (int i = 0; i < uuid.length(); i++) {
      char c = uuid.charAt(i);
      boolean plain =
          (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
      name.append(plain ? c : '_');
    }
    return name.append(SUFFIX).toString();
  }

  /** Returns what another process wrote into a lock file, cut and made printable, for messages. */
  static String holderText(Path file) {
    try (var in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
      byte[] bytes = in.readNBytes(400);
      StringBuilder text = new StringBuilder(bytes.length);
      for (byte b : bytes) {
        text.append(b >= ' ' && b < 0x7f ? (char) b : ' ');
      }
      return text.toString().trim();
    } catch (IOException unreadable) {
      return "";
    }
  }
}
