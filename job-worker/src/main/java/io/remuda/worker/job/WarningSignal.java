package io.remuda.worker.job;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.remuda.worker.job.signal.SignalNames;
import io.remuda.worker.job.signal.SignalReach;
import java.util.List;

/**
 * A signal that an attempt gets some time before its time limit.
 *
 * @param name without {@code SIG}, HUP, INT, QUIT, USR1, USR2 or TERM
 * @param leadMillis from the signal to the time limit, 1 or more
 * @param reach which of its processes get it; null is read as {@link SignalReach#FIRST}, for jobs
 *     that an earlier build has stored
 */
public record WarningSignal(
    String name,
    long leadMillis,
    @JsonInclude(value = JsonInclude.Include.CUSTOM, valueFilter = SignalReach.LeftOut.class)
        SignalReach reach) {

  private static final List<String> NAMES = List.of("HUP", "INT", "QUIT", "USR1", "USR2", "TERM");

  /** A signal for the first process. */
  public WarningSignal(String name, long leadMillis) {
    this(name, leadMillis, SignalReach.FIRST);
  }

  public WarningSignal {
    reach = reach == null ? SignalReach.FIRST : reach;
    numberOf(name);
    if (leadMillis < 1) {
      throw new IllegalArgumentException("leadMillis must be 1 or more, got " + leadMillis);
    }
  }

  /**
   * Reads {@code USR1@5m} or {@code all:USR1@5m}; the name may have {@code SIG} before it and may
   * be in lower case.
   *
   * @throws IllegalArgumentException if it has no such form
   */
  public static WarningSignal parse(String text) {
    SignalReach.Aim aim = SignalReach.aim(text.trim());
    String[] parts = aim.rest().split("@", -1);
    if (parts.length != 2) {
      throw new IllegalArgumentException(
          "'" + text + "' is not a signal and a time: write USR1@5m");
    }
    long lead = SizeAndTimeParser.time(parts[1]).toMillis();
    if (lead < 1) {
      throw new IllegalArgumentException(
          "'" + text + "': the signal must come before the time limit: write USR1@5m");
    }
    return new WarningSignal(plainName(parts[0]), lead, aim.reach());
  }

  /** Returns its number. */
  public int number() {
    return SignalNames.number(name);
  }

  /**
   * Returns the number of a signal that tasks may get.
   *
   * @param name without {@code SIG}
   * @throws IllegalArgumentException if it is none of them
   */
  static int numberOf(String name) {
    if (!NAMES.contains(name)) {
      throw new IllegalArgumentException(
          "'" + name + "' is not a signal: write " + String.join(", ", NAMES));
    }
    return SignalNames.number(name);
  }

  /**
   * Returns the name of a signal without {@code SIG}, in upper case.
   *
   * @throws IllegalArgumentException if tasks may not get it
   */
  public static String checkedName(String text) {
    String name = plainName(text);
    numberOf(name);
    return name;
  }

  /** Returns the plain name; what is none as it is written, for the message. */
  private static String plainName(String text) {
    return SignalNames.plain(text).orElse(text.trim());
  }
}
