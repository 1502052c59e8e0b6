package io.remuda.agent.protocol;

import java.util.List;
import java.util.Locale;

/**
 * A signal that a user sends to a running task.
 *
 * @param name without {@code SIG}
 * @param number 1 to 31, as on Linux for x86 and ARM
 */
public record TaskSignal(String name, int number) {

  /** Names by number; that of SIGKILL is one that nobody can send here. */
  private static final List<String> NAMES =
      List.of(
          "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1", "SEGV", "USR2",
          "PIPE", "ALRM", "TERM", "STKFLT", "CHLD", "CONT", "STOP", "TSTP", "TTIN", "TTOU", "URG",
          "XCPU", "XFSZ", "VTALRM", "PROF", "WINCH", "IO", "PWR", "SYS");

  /** How a request to a channel begins that is none, but a signal. */
  private static final String CHANNEL = "signal:";

  /**
   * Reads a name, with or without {@code SIG} and in any case, or a number.
   *
   * @throws IllegalArgumentException if it is no signal, or SIGKILL; the message is for users
   */
  public static TaskSignal parse(String text) {
    String name = text.trim().toUpperCase(Locale.ROOT);
    name = name.startsWith("SIG") ? name.substring(3) : name;
    int number =
        name.matches("[1-9]\\d?") ? Integer.parseInt(name) : NAMES.indexOf(name) + 1; // 0 if none
    if (number == 0 || number > NAMES.size()) {
      throw new IllegalArgumentException(
          "'"
              + text
              + "' is not a signal: write a name such as USR1, HUP, INT or TERM, or a number from 1"
              + " to "
              + NAMES.size());
    }
    TaskSignal signal = new TaskSignal(NAMES.get(number - 1), number);
    if (signal.name().equals("KILL")) {
      throw new IllegalArgumentException(
          "KILL ends a task without a state that says why: use remuda cancel --now");
    }
    return signal;
  }

  /** Returns what an agent is asked to do. */
  public ChannelAsk toAsk() {
    return new ChannelAsk("signal", CHANNEL + number, 0, null, false, -1, 0, 0, false);
  }

  /** Returns whether an agent is asked for a signal, rather than for a channel. */
  public static boolean isAsked(ChannelAsk ask) {
    return ask.open() != null && ask.open().startsWith(CHANNEL);
  }

  /**
   * Returns the signal that an agent is asked for.
   *
   * @throws IllegalArgumentException if tasks may not get it
   */
  public static TaskSignal of(ChannelAsk ask) {
    return parse(ask.open().substring(CHANNEL.length()));
  }
}
