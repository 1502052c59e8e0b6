package io.remuda.telemetry.host;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads small text files that the kernel generates; a missing file reads as empty. */
final class KernelFile {
  private static final int HEAD_BYTES = 4096;

  private KernelFile() {}

  /** Returns the stripped text; empty when the file cannot be read. */
  static String text(Path path) {
    try {
      return new String(Files.readAllBytes(path), StandardCharsets.ISO_8859_1).strip();
    } catch (IOException e) {
      return "";
    }
  }

  /**
   * Returns the first 4 KiB, which the kernel can generate without the rest; empty when the file
   * cannot be read.
   */
  static String head(Path path) {
    try (InputStream in = Files.newInputStream(path)) {
      return new String(in.readNBytes(HEAD_BYTES), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      return "";
    }
  }

  /**
   * Returns the number that is a file's only content; null for other content, such as {@code max}.
   */
  static Long number(Path path) {
    return number(text(path));
  }

  /** Parses a decimal number; returns null for any other text. */
  static Long number(String text) {
    return text.matches("-?[0-9]{1,18}") ? Long.valueOf(text) : null;
  }

  /**
   * Returns the stripped value of the first line that starts with {@code key:}; empty if there is
   * none.
   */
  static String field(String text, String key) {
    String start = key + ":";
    return text.lines()
        .filter(line -> line.startsWith(start))
        .map(line -> line.substring(start.length()).strip())
        .findFirst()
        .orElse("");
  }
}
