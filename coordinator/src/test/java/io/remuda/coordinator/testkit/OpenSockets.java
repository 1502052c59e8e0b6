package io.remuda.coordinator.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** The connections of this machine that a server at a port holds open. */
public final class OpenSockets {
  private static final int LOCAL = 1;
  private static final int INODE = 9;

  private OpenSockets() {}

  /** Returns how many a process holds at this local port; those that it has closed do not count. */
  public static long of(int port) throws IOException {
    long all = 0;
    for (String table : new String[] {"tcp", "tcp6"}) {
      try (Stream<String> lines = Files.lines(Path.of("/proc/self/net", table))) {
        all += lines.skip(1).filter(line -> isHeld(line.strip().split(" +"), port)).count();
      }
    }
    return all;
  }

  private static boolean isHeld(String[] columns, int port) {
    return columns[LOCAL].endsWith(String.format(":%04X", port)) && !columns[INODE].equals("0");
  }
}
