package io.remuda.agent.keeper.proc;

import com.sun.jna.Memory;
import java.nio.file.Path;
import java.util.Optional;

/** Reads how many more files the disk of a folder can hold, by statvfs of glibc on 64 bits. */
public final class FreeInodes {
  private static final int STATVFS_BYTES = 256;
  private static final int FILES_AT = 40;
  private static final int AVAILABLE_AT = 56;

  /**
   * Below this nothing starts: a task creates about five files, of which its preparation makes two,
   * up to 16 tasks are prepared after one look, and running tasks need some.
   */
  private static final long LEAST = 128;

  private FreeInodes() {}

  /** Returns a message if too few inodes are left; empty otherwise or if they are not counted. */
  public static Optional<String> shortage(Path folder) {
    try (Memory facts = new Memory(STATVFS_BYTES)) {
      if (Posix.statvfs(CStrings.of(folder.toString()), facts) != 0) {
        return Optional.empty();
      }
      long files = facts.getLong(FILES_AT);
      long left = facts.getLong(AVAILABLE_AT);
      return files > 0 && left < Math.min(LEAST, files / 2)
          ? Optional.of(
              "the disk of " + folder + " has no room for more files: " + left + " inodes are left")
          : Optional.empty();
    }
  }
}
