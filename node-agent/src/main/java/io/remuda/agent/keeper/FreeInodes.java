package io.remuda.agent.keeper;

import com.sun.jna.Memory;
import java.nio.file.Path;
import java.util.Optional;

/** How many more files the disk of a folder can have, as statvfs of glibc on 64 bits says. */
public final class FreeInodes {
  private static final int STATVFS_BYTES = 256;
  private static final int FILES_AT = 40;
  private static final int AVAILABLE_AT = 56;

  /** With fewer nothing new is begun: a task has about five, and what runs needs some. */
  private static final long LEAST = 64;

  private FreeInodes() {}

  /** Says that the disk can have no more files, if that is so; some disks have no such number. */
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
