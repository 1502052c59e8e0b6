package io.remuda.coordinator.settings;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;

/** Finds the user that listens on a TCP port of this machine, in {@code /proc/net}. */
public final class PortOwnerUserId {

  private static final List<Path> TABLES =
      List.of(Path.of("/proc/net/tcp"), Path.of("/proc/net/tcp6"));
  private static final String LISTENS = "0A";
  private static final int ADDRESS = 1;
  private static final int STATE = 3;
  private static final int USER = 7;

  private PortOwnerUserId() {}

  /** Returns the user of a port in the form {@code " by user 1000"}; empty if it is unknown. */
  public static String said(int port) {
    for (Path table : TABLES) {
      try {
        OptionalInt user = in(Files.readAllLines(table), port);
        if (user.isPresent()) {
          return " by user " + user.getAsInt();
        }
      } catch (IOException noTable) {
        continue; // there is no tcp6 without IPv6
      }
    }
    return "";
  }

  /**
   * Returns the user id of the first socket that listens on the port.
   *
   * @param lines of {@code /proc/net/tcp}
   */
  static OptionalInt in(List<String> lines, int port) {
    String end = String.format(Locale.ROOT, ":%04X", port);
    return lines.stream()
        .map(line -> line.strip().split("\\s+"))
        .filter(fields -> fields.length > USER)
        .filter(fields -> fields[ADDRESS].endsWith(end) && fields[STATE].equals(LISTENS))
        .mapToInt(fields -> Integer.parseInt(fields[USER]))
        .findFirst();
  }
}
