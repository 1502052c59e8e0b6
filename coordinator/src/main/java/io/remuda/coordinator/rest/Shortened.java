package io.remuda.coordinator.rest;

import io.remuda.telemetry.render.Printable;

/** Values as an answer repeats them. */
final class Shortened {

  private static final int MOST = 60;

  private Shortened() {}

  /** In quotes, as one line of at most some sixty characters. */
  static String quoted(String value) {
    String start = value.length() <= MOST ? value : value.substring(0, MOST);
    boolean half = !start.isEmpty() && Character.isHighSurrogate(start.charAt(start.length() - 1));
    String whole = half ? start.substring(0, start.length() - 1) : start;
    return "'" + Printable.of(whole) + "'" + (value.length() <= MOST ? "" : "...");
  }
}
