package io.remuda.coordinator.cli.output;

import java.math.BigDecimal;

/** Numbers with what they count, for users. */
public final class NumberText {

  private NumberText() {}

  /** Returns {@code 1 CPU}, {@code 0.5 CPUs} or {@code 2 CPUs}. */
  public static String counted(double number, String what) {
    String text = BigDecimal.valueOf(number).stripTrailingZeros().toPlainString();
    return text + " " + what + (text.equals("1") ? "" : "s");
  }
}
