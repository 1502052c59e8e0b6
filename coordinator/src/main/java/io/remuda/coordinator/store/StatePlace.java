package io.remuda.coordinator.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;

/**
 * Where a state file is found, and that it is still the file that was opened: one that was moved or
 * removed can be written to, and what is written is lost. Any thread; one call of the kernel.
 *
 * @param file its path
 * @param key device and inode as they were when it was opened
 */
record StatePlace(Path file, Object key) {

  static StatePlace of(Path file) throws IOException {
    return new StatePlace(file, keyOf(file));
  }

  private static Object keyOf(Path file) throws IOException {
    return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
  }

  Path folder() {
    return file.getParent();
  }

  /** What is wrong, if it is. */
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
