package io.remuda.telemetry.amd;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;

/** A kernel attribute: a short text in a file. */
final class SysfsFile {

  private SysfsFile() {}

  /** Returns the stripped text; empty if there is no readable file or no text. */
  static Optional<String> text(Path file) {
    try {
      return Optional.of(Files.readString(file).strip()).filter(text -> !text.isEmpty());
    } catch (IOException unreadable) {
      return Optional.empty();
    }
  }

  /**
   * Returns the number in the file.
   *
   * @throws NoSuchFileException if the driver does not offer it
   * @throws IOException if it cannot be read now
   */
  static long number(Path file) throws IOException {
    String text = Files.readString(file).strip();
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException malformed) {
      throw new IOException("'" + text + "' is not a number", malformed);
    }
  }

  /** Returns the number in the file; empty if it cannot be read. */
  static OptionalLong numberIfThere(Path file) {
    try {
      return OptionalLong.of(number(file));
    } catch (IOException unreadable) {
      return OptionalLong.empty();
    }
  }
}
