package io.remuda.worker.job.signal;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The signals of Linux, with their numbers on x86 and ARM: signal(7). */
public final class SignalNames {

  /** By number, from 1. */
  private static final List<String> NAMES =
      List.of(
          "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1", "SEGV", "USR2",
          "PIPE", "ALRM", "TERM", "STKFLT", "CHLD", "CONT", "STOP", "TSTP", "TTIN", "TTOU", "URG",
          "XCPU", "XFSZ", "VTALRM", "PROF", "WINCH", "IO", "PWR", "SYS");

  private SignalNames() {}

  /**
   * Returns a signal's name without {@code SIG} and in upper case; empty if there is no such
   * signal.
   *
   * @param text its name, with or without {@code SIG} and in any case
   */
  public static Optional<String> plain(String text) {
    String name = text.trim().toUpperCase(Locale.ROOT);
    return Optional.of(name.startsWith("SIG") ? name.substring(3) : name).filter(NAMES::contains);
  }

  /** As {@link #plain}, and the text may also be the number of the signal. */
  public static Optional<String> plainOfNumberOrName(String text) {
    String number = text.trim();
    if (!number.matches("[1-9]\\d?")) {
      return plain(text);
    }
    int index = Integer.parseInt(number) - 1;
    return index < NAMES.size() ? Optional.of(NAMES.get(index)) : Optional.empty();
  }

  /** Returns the number of a signal by its {@link #plain} name; 0 if there is none. */
  public static int number(String name) {
    return NAMES.indexOf(name) + 1;
  }

  /** Returns the highest number. */
  public static int most() {
    return NAMES.size();
  }
}
