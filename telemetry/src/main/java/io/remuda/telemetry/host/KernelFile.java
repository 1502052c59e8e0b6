package io.remuda.telemetry.host;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Small text files that the kernel writes on reading; a missing one reads as empty. */
final class KernelFile {
  private KernelFile() {}

  /** The whole text without the white space around it; empty when it cannot be read. */
  static String text(Path path) {
    try {
      return new String(Files.readAllBytes(path), StandardCharsets.ISO_8859_1).strip();
    } catch (IOException e) {
      return "";
    }
  }

  /** A number that stands alone in a file; null when there is none, as with {@code max}. */
  static Long number(Path path) {
    return number(text(path));
  }

  /** A number in decimal digits; null for any other text. */
  static Long number(String text) {
    return text.matches("-?[0-9]{1,18}") ? Long.valueOf(text) : null;
  }

  /** What follows {@code key:} on a line of its own, without white space around it; or empty. */
  static String field(String text, String key) {
    String start = key + ":";
    return text.lines()
        .filter(line -> line.startsWith(start))
        .map(line -> line.substring(start.length()).strip())
        .findFirst()
        .orElse("");
  }
}
