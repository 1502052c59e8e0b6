package io.remuda.agent.training;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** Finds the user whose process holds the other end of a TCP connection within this machine. */
final class ConnectionUserId {

  /** A program may connect to {@code 127.0.0.1} with a socket of IPv6, which the second lists. */
  private static final List<Path> TABLES =
      List.of(Path.of("/proc/net/tcp"), Path.of("/proc/net/tcp6"));

  private static final int ROOT = 0;
  private static final int LOCAL = 1;
  private static final int REMOTE = 2;
  private static final int USER = 7;
  private static final int INODE = 9;

  /** The row of a socket that no process holds any more names user 0. */
  private static final String NO_INODE = "0";

  private ConnectionUserId() {}

  /**
   * Returns why a program that is neither of this process's user nor of root is refused; null if it
   * is one of these. Reads files of {@code /proc}.
   *
   * @param caller the address of its end of a connection within this machine
   * @param here the address of this end
   */
  static String refusal(InetSocketAddress caller, InetSocketAddress here) {
    try {
      int self = self();
      int user = of(caller, here);
      return user == self || user == ROOT ? null : "user " + user + " is not this agent's, " + self;
    } catch (IOException unknown) {
      return "it is not known whose connection this is: " + unknown.getMessage();
    }
  }

  /** Returns the user id of this process. */
  static int self() throws IOException {
    return (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
  }

  /**
   * Returns the user id of a connection's other end.
   *
   * @param caller the address of that end
   * @param here the address of this end
   * @throws IOException if no process of this machine holds it, or the tables cannot be read
   */
  static int of(InetSocketAddress caller, InetSocketAddress here) throws IOException {
    for (Path table : TABLES) {
      try (BufferedReader rows = Files.newBufferedReader(table, StandardCharsets.US_ASCII)) {
        for (String row = rows.readLine(); row != null; row = rows.readLine()) {
          Integer user = in(row, caller, here);
          if (user != null) {
            return user;
          }
        }
      } catch (NoSuchFileException noTable) {
        continue; // there is no tcp6 without IPv6
      }
    }
    throw new IOException("no process holds its other end any more");
  }

  /**
   * Returns the user id in a row of {@code /proc/net/tcp} or {@code tcp6}; null if it is that of
   * another connection, also of one from the same port of another address, or of a socket without a
   * process.
   */
  static Integer in(String row, InetSocketAddress caller, InetSocketAddress here) {
    String[] fields = row.strip().split("\\s+");
    return fields.length > INODE
            && isAt(fields[LOCAL], caller)
            && isAt(fields[REMOTE], here)
            && !fields[INODE].equals(NO_INODE)
        ? Integer.valueOf(fields[USER])
        : null;
  }

  /**
   * Returns whether a field of the table is this address, in IPv6's form of an IPv4 address, too.
   * The kernel writes words of four bytes in the order of this machine.
   */
  private static boolean isAt(String field, InetSocketAddress address) {
    byte[] bytes = address.getAddress().getAddress();
    ByteBuffer words = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
    StringBuilder text = new StringBuilder(40);
    while (words.hasRemaining()) {
      text.append(String.format(Locale.ROOT, "%08X", words.getInt()));
    }
    text.append(String.format(Locale.ROOT, ":%04X", address.getPort()));
    return field.contentEquals(text) || field.contentEquals(IPV4_IN_IPV6 + text);
  }

  /** What stands before an IPv4 address in the table of IPv6. */
  private static final String IPV4_IN_IPV6 =
      "0000000000000000"
          + (ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? "FFFF0000" : "0000FFFF");
}
