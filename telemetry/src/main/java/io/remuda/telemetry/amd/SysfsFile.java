package io.remuda.telemetry.amd;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;

/** One attribute of the kernel: a short text in a file. */
final class SysfsFile {

  private SysfsFile() {}

  /** The text without blanks at its ends; nothing if there is no such file or it is empty. */
  static Optional<String> text(Path file) {
    try {
      return Optional.of(Files.readString(file).strip()).filter(text -> !text.isEmpty());
    } catch (IOException unreadable) {
      return Optional.empty();
    }
  }

  /**
   * The number in the file.
   *
   * @throws NoSuchFileException if the driver does not offer it
   * @throws IOException if it cannot be read now
   */
  static long number(Path file) throws IOException {
    String text = Files.readString(file).strip();
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException malformed) {
      throw new IOException("'" + text + "' is no number", malformed);
    }
  }

  /** The number in the file, or nothing. */
  static OptionalLong numberIfThere(Path file) {
    try {
      return OptionalLong.of(number(file));
    } catch (IOException unreadable) {
      return OptionalLong.empty();
    }
  }
}
