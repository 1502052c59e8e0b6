package io.remuda.coordinator.rest;

import io.remuda.telemetry.render.Printable;

/** Values as an answer repeats them. */
final class ShortenedValues {

  private static final int MOST = 60;

  private ShortenedValues() {}

  /** In quotes, as one line of at most some sixty characters. */
  static String quoted(String value) {
    String whole = Printable.beginning(value, MOST);
    return "'" + Printable.of(whole) + "'" + (value.length() <= MOST ? "" : "...");
  }
}
