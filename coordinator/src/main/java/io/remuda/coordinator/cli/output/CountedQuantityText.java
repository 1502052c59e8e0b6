package io.remuda.coordinator.cli.output;

import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.Locale;

/** Numbers with what they count, for users. */
public final class CountedQuantityText {

  private static final String PATTERN = "#,##0.######";

  private CountedQuantityText() {}

  /** Returns {@code 1 CPU}, {@code 0.5 CPUs} or {@code 10,000 tasks}. */
  public static String counted(double number, String one) {
    return counted(number, one, one + "s");
  }

  /** Returns a number with a word that has another plural than with an s. */
  public static String counted(double number, String one, String many) {
    return of(number) + " " + (number == 1 ? one : many);
  }

  /** Returns a number with commas between thousands. */
  public static String of(double number) {
    return new DecimalFormat(PATTERN, DecimalFormatSymbols.getInstance(Locale.ROOT)).format(number);
  }
}
