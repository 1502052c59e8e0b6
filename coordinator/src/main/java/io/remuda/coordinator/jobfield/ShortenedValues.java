package io.remuda.coordinator.jobfield;

import io.remuda.telemetry.render.PrintableText;

/** Shortens values that a response repeats. */
public final class ShortenedValues {

  private static final int MOST = 60;

  private ShortenedValues() {}

  /** Returns a value in quotes, on one line of about sixty characters at most. */
  public static String quoted(String value) {
    String whole = PrintableText.beginning(value, MOST);
    return "'" + PrintableText.of(whole) + "'" + (value.length() <= MOST ? "" : "...");
  }
}
