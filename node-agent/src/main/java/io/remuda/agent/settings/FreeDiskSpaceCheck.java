package io.remuda.agent.settings;

import java.nio.file.Path;
import java.util.Optional;

/** Checks that a disk has space for new tasks; the rest is left for running ones. */
public final class FreeDiskSpaceCheck {

  /** With less free space no task is started. */
  private static final long LEAST_BYTES = 1 << 20;

  private FreeDiskSpaceCheck() {}

  /** Returns a message if the disk of a folder is full. Makes one system call. */
  public static Optional<String> shortage(Path folder) {
    long left = folder.toFile().getUsableSpace();
    return left < LEAST_BYTES && folder.toFile().exists()
        ? Optional.of("the disk of " + folder + " is full: " + (left >> 10) + " KiB are left")
        : Optional.empty();
  }
}
