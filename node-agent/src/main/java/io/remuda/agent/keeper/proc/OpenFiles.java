package io.remuda.agent.keeper.proc;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.BiFunction;

/** Reads the open files of a process, the last sign of the task that it belongs to. */
public final class OpenFiles {
  private static final int ACCESS = 3;

  private OpenFiles() {}

  /**
   * An open descriptor.
   *
   * @param info content of its file in {@code /proc/PID/fdinfo}
   */
  public record Open(String path, String info) {

    /** Returns whether it is write-only and appends, like task output; this is rare elsewhere. */
    public boolean isOutput() {
      int from = info.indexOf("flags:");
      int to = from < 0 ? -1 : info.indexOf('\n', from);
      if (to < 0) {
        return false;
      }
      int flags = Integer.parseInt(info.substring(from + 6, to).strip(), 8);
      return (flags & ACCESS) == Posix.O_WRONLY && (flags & Posix.O_APPEND) != 0;
    }

    /** Returns whether it holds a lock taken by that process, from which it was inherited. */
    public boolean isLockedBy(int pid) {
      return info.contains("FLOCK") && info.matches("(?s).*FLOCK +\\S+ +\\S+ +" + pid + " .*");
    }
  }

  /**
   * Returns the first result of {@code known} for a descriptor of a process, or null.
   *
   * @param known takes a path and, since reading costs more, a source of the whole descriptor
   */
  public static String find(int pid, BiFunction<String, Source, String> known) {
    String[] names = new File("/proc/" + pid + "/fd").list();
    for (String name : names == null ? new String[0] : names) {
      try {
        String path = Files.readSymbolicLink(Path.of("/proc/" + pid + "/fd", name)).toString();
        if (path.startsWith("/")) {
          String key = known.apply(path, () -> open(pid, name, path));
          if (key != null) {
            return key;
          }
        }
      } catch (IOException closed) {
        continue;
      }
    }
    return null;
  }

  /** Reads a descriptor. */
  public interface Source {
    Open read();
  }

  private static Open open(int pid, String name, String path) {
    try {
      byte[] info = Files.readAllBytes(Path.of("/proc/" + pid + "/fdinfo", name));
      return new Open(path, new String(info, StandardCharsets.US_ASCII));
    } catch (IOException closed) {
      return new Open(path, "");
    }
  }
}
