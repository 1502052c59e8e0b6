package io.remuda.agent.settings;

import java.nio.file.Path;
import java.util.Optional;

/** Whether a disk has room for more to begin; what has begun needs the rest. */
public final class DiskRoom {

  /** With less nothing new is begun. */
  private static final long LEAST_BYTES = 1 << 20;

  private DiskRoom() {}

  /** Says that the disk of a folder is full, if it is. One call of the kernel. */
  public static Optional<String> shortage(Path folder) {
    long left = folder.toFile().getUsableSpace();
    return left < LEAST_BYTES && folder.toFile().exists()
        ? Optional.of("the disk of " + folder + " is full: " + (left >> 10) + " KiB are left")
        : Optional.empty();
  }
}
