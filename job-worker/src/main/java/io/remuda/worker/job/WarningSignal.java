package io.remuda.worker.job;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * A signal that the first process of an attempt gets some time before its time limit.
 *
 * @param name without {@code SIG}, HUP, INT, QUIT, USR1, USR2 or TERM
 * @param leadMillis from the signal to the time limit, 1 or more
 */
public record WarningSignal(String name, long leadMillis) {

  /** Numbers as on Linux for x86 and ARM. */
  private static final Map<String, Integer> NUMBERS = numbers();

  private static Map<String, Integer> numbers() {
    Map<String, Integer> numbers = new LinkedHashMap<>();
    numbers.put("HUP", 1);
    numbers.put("INT", 2);
    numbers.put("QUIT", 3);
    numbers.put("USR1", 10);
    numbers.put("USR2", 12);
    numbers.put("TERM", 15);
    return numbers;
  }

  public WarningSignal {
    if (!NUMBERS.containsKey(name)) {
      throw new IllegalArgumentException(
          "'" + name + "' is not a signal: write " + String.join(", ", NUMBERS.keySet()));
    }
    if (leadMillis < 1) {
      throw new IllegalArgumentException("leadMillis must be 1 or more, got " + leadMillis);
    }
  }

  /**
   * Reads {@code USR1@5m}; the name may have {@code SIG} before it and may be in lower case.
   *
   * @throws IllegalArgumentException if it has no such form
   */
  public static WarningSignal parse(String text) {
    String[] parts = text.trim().split("@", -1);
    if (parts.length != 2) {
      throw new IllegalArgumentException(
          "'" + text + "' is not a signal and a time: write USR1@5m");
    }
    String name = parts[0].toUpperCase(Locale.ROOT);
    long lead = Quantities.time(parts[1]).toMillis();
    if (lead < 1) {
      throw new IllegalArgumentException(
          "'" + text + "': the signal must come before the time limit: write USR1@5m");
    }
    return new WarningSignal(name.startsWith("SIG") ? name.substring(3) : name, lead);
  }

  /** Returns its number. */
  public int number() {
    return NUMBERS.get(name);
  }
}
