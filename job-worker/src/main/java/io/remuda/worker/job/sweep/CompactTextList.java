package io.remuda.worker.job.sweep;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.List;

/**
 * Texts without line breaks, kept in one text, because a sweep may have a million of them. In JSON
 * they are that text.
 */
public final class CompactTextList {

  private final String text;

  /** Where each line begins. */
  private final int[] begins;

  private CompactTextList(String text) {
    this.text = text;
    int[] found = new int[16];
    int lines = 1;
    for (int end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) {
      if (lines == found.length) {
        found = Arrays.copyOf(found, 2 * lines);
      }
      found[lines++] = end + 1;
    }
    this.begins = Arrays.copyOf(found, lines);
  }

  /** Returns the lines of a text; one that ends with a line break has an empty line at its end. */
  @JsonCreator
  public static CompactTextList of(String text) {
    return new CompactTextList(text);
  }

  /**
   * Returns these texts as lines.
   *
   * @throws IllegalArgumentException if there is none, or one has a line break
   */
  public static CompactTextList of(List<String> lines) {
    if (lines.isEmpty()) {
      throw new IllegalArgumentException("there is no line");
    }
    for (String line : lines) {
      if (line.indexOf('\n') >= 0) {
        throw new IllegalArgumentException("a line break in the line '" + line + "'");
      }
    }
    return new CompactTextList(String.join("\n", lines));
  }

  /** Returns all lines in one text. */
  @JsonValue
  public String text() {
    return text;
  }

  /** Returns the number of lines, at least 1. */
  public int size() {
    return begins.length;
  }

  /** Returns about how many bytes they take in memory. */
  public long bytes() {
    return 2L * text.length() + (long) Integer.BYTES * begins.length;
  }

  /** Returns a line, from 0. */
  public String get(int line) {
    int end = line + 1 == begins.length ? text.length() : begins[line + 1] - 1;
    return text.substring(begins[line], end);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof CompactTextList same && text.equals(same.text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  @Override
  public String toString() {
    return size() + " lines";
  }
}
