package io.remuda.coordinator.rest;

import io.remuda.telemetry.render.PrintableText;

/** Values as an answer repeats them. */
final class ShortenedValues {

  private static final int MOST = 60;

  private ShortenedValues() {}

  /** In quotes, as one line of at most some sixty characters. */
  static String quoted(String value) {
    String whole = PrintableText.beginning(value, MOST);
    return "'" + PrintableText.of(whole) + "'" + (value.length() <= MOST ? "" : "...");
  }
}
