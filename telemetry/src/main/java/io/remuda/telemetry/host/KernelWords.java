package io.remuda.telemetry.host;

import java.nio.charset.StandardCharsets;

/**
 * Reads a file of the kernel line by line and word by word, without making objects of what nobody
 * wants. Words are divided by spaces, tabs and colons. Begins before the first line.
 */
final class KernelWords {
  private final byte[] bytes;
  private final int length;
  private int at;
  private int next; // where the line after this one begins

  KernelWords(byte[] bytes, int length) {
    this.bytes = bytes;
    this.length = length;
  }

  /** Goes to the next line; returns false if there is none. */
  boolean nextLine() {
    at = next;
    while (next < length && bytes[next] != '\n') {
      next++;
    }
    next++; // behind its end
    return at < length;
  }

  private int end() {
    return Math.min(length, next - 1);
  }

  private void skipDividers() {
    int end = end();
    while (at < end && isDivider(bytes[at])) {
      at++;
    }
  }

  private static boolean isDivider(byte sign) {
    return sign == ' ' || sign == '\t' || sign == ':';
  }

  /** Returns the next word of the line; empty at its end. */
  String word() {
    skipDividers();
    int from = at;
    skip();
    return new String(bytes, from, at - from, StandardCharsets.ISO_8859_1);
  }

  /** Returns whether the next word is this one, and if so goes behind it. */
  boolean word(String expected) {
    skipDividers();
    int from = at;
    skip();
    boolean same = at - from == expected.length();
    for (int sign = 0; same && sign < expected.length(); sign++) {
      same = bytes[from + sign] == expected.charAt(sign);
    }
    if (!same) {
      at = from;
    }
    return same;
  }

  /** Returns whether the line goes on with this text; does not go on. */
  boolean isAt(String text) {
    skipDividers();
    boolean same = end() - at >= text.length();
    for (int sign = 0; same && sign < text.length(); sign++) {
      same = bytes[at + sign] == text.charAt(sign);
    }
    return same;
  }

  /** Goes behind the next word. */
  KernelWords skip() {
    skipDividers();
    int end = end();
    while (at < end && !isDivider(bytes[at])) {
      at++;
    }
    return this;
  }

  /** Goes behind so many words. */
  KernelWords skip(int words) {
    for (int word = 0; word < words; word++) {
      skip();
    }
    return this;
  }

  /** Returns the next word as a decimal fraction such as a load average; -1 if it is none. */
  double fraction() {
    String word = word();
    try {
      double value = Double.parseDouble(word);
      return value >= 0 && value <= Double.MAX_VALUE ? value : -1;
    } catch (NumberFormatException none) {
      return -1;
    }
  }

  /** Returns how many lines there are. */
  int lines() {
    int lines = 0;
    for (int sign = 0; sign < length; sign++) {
      lines += bytes[sign] == '\n' ? 1 : 0;
    }
    return lines;
  }

  /** Returns the next word as a number of digits; -1 if it is none, or there is no word. */
  long number() {
    skipDividers();
    int from = at;
    skip();
    long value = 0;
    for (int place = from; place < at; place++) {
      int digit = bytes[place] - '0';
      if (digit < 0 || digit > 9) {
        return -1;
      }
      value = value * 10 + digit; // a counter beyond 2^63 wraps, as the kernel's does at 2^64
    }
    return at == from || value < 0 ? -1 : value;
  }
}
