package io.remuda.coordinator.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;

/**
 * The path of a state file, and a check that it still is the opened file: writes to a file that was
 * moved or removed succeed and are lost. Thread-safe.
 *
 * @param file its path
 * @param key device and inode when it was opened
 */
record OpenedStateFileCheck(Path file, Object key) {

  static OpenedStateFileCheck of(Path file) throws IOException {
    return new OpenedStateFileCheck(file, keyOf(file));
  }

  private static Object keyOf(Path file) throws IOException {
    return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
  }

  Path folder() {
    return file.getParent();
  }

  /** Returns what is wrong, if anything. Makes one system call. */
  Optional<String> trouble() {
    try {
      return keyOf(file).equals(key)
          ? Optional.empty()
          : Optional.of(file + " is another file than the one that the server works with");
    } catch (IOException gone) {
      return Optional.of(file + " was moved or removed while the server worked with it");
    }
  }
}
