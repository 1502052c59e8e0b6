package io.remuda.agent.keeper.limit;

import io.remuda.agent.keeper.proc.KeeperProcessHandle;
import io.remuda.agent.keeper.proc.Posix;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;

/** Describes, for messages, the process that holds the lock of a file and the owner of a file. */
final class LockHolderDescription {
  private static final int PID_FIELD = 4;
  private static final int INODE_FIELD = 5;

  private LockHolderDescription() {}

  /**
   * Returns the process that has locked the file if it is no keeper. Empty if it is a keeper, if it
   * is gone and has left the lock to its tasks, or if it cannot be seen from here.
   */
  static String stranger(Path file) {
    try {
      String inode = ":" + Files.getAttribute(file, "unix:ino", LinkOption.NOFOLLOW_LINKS);
      for (String line : Files.readAllLines(Path.of("/proc/locks"))) {
        String[] fields = line.split("\\s+");
        boolean flock = fields.length > INODE_FIELD && fields[1].equals("FLOCK");
        if (flock && fields[INODE_FIELD].endsWith(inode)) {
          return stranger(fields[PID_FIELD]);
        }
      }
    } catch (IOException | RuntimeException unknown) {
      return "";
    }
    return "";
  }

  private static String stranger(String pid) throws IOException {
    Path process = Path.of("/proc", pid);
    boolean ours = pid.equals(Integer.toString(Posix.getpid()));
    if (ours || !Files.isDirectory(process) || isKeeper(process)) {
      return "";
    }
    String name = Files.readString(process.resolve("comm")).trim();
    return "process " + pid + " (" + printable(name) + ") of " + owner(process);
  }

  private static boolean isKeeper(Path process) throws IOException {
    byte[] words = Files.readAllBytes(process.resolve("cmdline"));
    return List.of(new String(words, StandardCharsets.UTF_8).split("\0"))
        .contains(KeeperProcessHandle.MAIN_CLASS);
  }

  private static String printable(String text) {
    return text.replaceAll("[^ -~]", "?");
  }

  /** Returns the owner, such as {@code user 1001}; does not follow links. */
  static String owner(Path file) {
    try {
      return "user " + Files.getAttribute(file, "unix:uid", LinkOption.NOFOLLOW_LINKS);
    } catch (IOException | RuntimeException unknown) {
      return "an unknown user";
    }
  }
}
