package io.remuda.coordinator.settings;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;

/** Which user listens on a TCP port of this machine, from {@code /proc/net}. */
public final class PortOwner {

  private static final List<Path> TABLES =
      List.of(Path.of("/proc/net/tcp"), Path.of("/proc/net/tcp6"));
  private static final String LISTENS = "0A";
  private static final int ADDRESS = 1;
  private static final int STATE = 3;
  private static final int USER = 7;

  private PortOwner() {}

  /** Words that say it, or none if it is not known. */
  public static String said(int port) {
    for (Path table : TABLES) {
      try {
        OptionalInt user = in(Files.readAllLines(table), port);
        if (user.isPresent()) {
          return " by user " + user.getAsInt();
        }
      } catch (IOException noTable) {
        continue; // as without IPv6
      }
    }
    return "";
  }

  /**
   * The user id of the first that listens on the port.
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
