package io.remuda.agent.keeper.limit;

import com.sun.jna.Memory;
import io.remuda.agent.keeper.RefusalCode;
import io.remuda.agent.keeper.proc.Errno;
import io.remuda.agent.keeper.proc.Posix;
import io.remuda.agent.keeper.proc.SpawnFailureException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The second lock of a device: an abstract address of Unix sockets, to which only one socket at a
 * time can be bound. It has no file, so it cannot be removed, and it is free again when the last
 * process that inherited the socket is gone. It works within one network namespace; the file of
 * {@link DeviceLock} works wherever its folder is visible.
 */
final class DeviceSocketLock {
  private static final int AF_UNIX = 1;
  private static final int SOCK_DGRAM_CLOEXEC = 2 | Posix.O_CLOEXEC;
  private static final int FAMILY_BYTES = 2;
  private static final int LOWEST_FD = 200;
  private static final int NAME_CHARACTERS = 40;

  private DeviceSocketLock() {}

  /** Returns the name as {@code /proc/net/unix} shows it, without the leading {@code @}. */
  static String of(Path file) {
    try {
      byte[] path = file.toAbsolutePath().normalize().toString().getBytes(StandardCharsets.UTF_8);
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(path);
      return "remuda-device-" + HexFormat.of().formatHex(hash).substring(0, NAME_CHARACTERS);
    } catch (NoSuchAlgorithmException everyJavaHasIt) {
      throw new IllegalStateException(everyJavaHasIt);
    }
  }

  /**
   * Binds a socket to the name.
   *
   * @return its descriptor, 200 or above, closed on exec
   * @throws SpawnFailureException if another process has the name, or if it cannot be bound
   */
  static int take(Path file, String uuid) throws SpawnFailureException {
    int socket = Posix.socket(AF_UNIX, SOCK_DGRAM_CLOEXEC, 0);
    if (socket < 0) {
      throw failure(uuid, Posix.errno());
    }
    byte[] name = of(file).getBytes(StandardCharsets.US_ASCII);
    int bytes = FAMILY_BYTES + 1 + name.length;
    int error;
    try (Memory address = new Memory(bytes)) {
      address.setShort(0, (short) AF_UNIX);
      address.setByte(FAMILY_BYTES, (byte) 0);
      address.write(FAMILY_BYTES + 1, name, 0, name.length);
      error = Posix.bind(socket, address, bytes) == 0 ? 0 : Posix.errno();
    }
    int high = error == 0 ? Posix.fcntl(socket, Posix.F_DUPFD_CLOEXEC, LOWEST_FD) : -1;
    error = error == 0 && high < 0 ? Posix.errno() : error;
    Posix.close(socket);
    if (error != 0) {
      throw failure(uuid, error);
    }
    return high;
  }

  private static SpawnFailureException failure(String uuid, int error) {
    return error == Errno.EADDRINUSE
        ? new SpawnFailureException(
            RefusalCode.DEVICE_BUSY,
            uuid + " is lent by another process, whose lock file was removed")
        : new SpawnFailureException(
            RefusalCode.DEVICE_LOCK_UNUSABLE,
            uuid + " cannot be locked by a socket's name: " + Errno.text(error));
  }
}
