package io.remuda.agent.training;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;

/**
 * Finds the user at the other end of a connection over IPv4's loopback, in {@code /proc/net}:
 * proc(5) of Linux. Programs of containers count as the user whom they are on the host. Any thread.
 */
final class CallerUserId {

  private static final List<Path> TABLES =
      List.of(Path.of("/proc/net/tcp"), Path.of("/proc/net/tcp6"));

  /** The kernel does not promise that a table which changes meanwhile is read whole. */
  private static final int LOOKS = 3;

  private static final long PAUSE_MILLIS = 20;

  private static final String LOOPBACK = "0100007F"; // 127.0.0.1; the end of it in IPv6, too
  private static final int LOCAL = 1;
  private static final int REMOTE = 2;
  private static final int USER = 7;
  private static final int INODE = 9;

  private CallerUserId() {}

  /**
   * Returns the user of the socket that is connected to a port of this machine; empty if there is
   * none, or none any more. Blocks for some tens of milliseconds if so.
   *
   * @param from port of that socket
   * @param to port of the server
   */
  static OptionalInt of(int from, int to) throws InterruptedException {
    for (int look = 0; look < LOOKS; look++) {
      if (look > 0) {
        TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
      }
      OptionalInt found = in(lines(), from, to);
      if (found.isPresent()) {
        return found;
      }
    }
    return OptionalInt.empty();
  }

  private static List<String> lines() {
    List<String> all = new ArrayList<>();
    for (Path table : TABLES) {
      try {
        all.addAll(Files.readAllLines(table));
      } catch (IOException noTable) {
        continue; // there is no tcp6 without IPv6
      }
    }
    return all;
  }

  /**
   * As {@link #of}. A socket that its program has closed has no inode, and user 0 whoever had it:
   * it does not count.
   *
   * @param lines of {@code /proc/net/tcp} and {@code tcp6}
   */
  static OptionalInt in(List<String> lines, int from, int to) {
    String local = address(from);
    String remote = address(to);
    return lines.stream()
        .map(line -> line.strip().split("\\s+"))
        .filter(fields -> fields.length > INODE)
        .filter(fields -> fields[LOCAL].endsWith(local) && fields[REMOTE].endsWith(remote))
        .filter(fields -> !fields[INODE].equals("0"))
        .mapToInt(fields -> Integer.parseInt(fields[USER]))
        .findFirst();
  }

  private static String address(int port) {
    return String.format(Locale.ROOT, "%s:%04X", LOOPBACK, port);
  }
}
