package io.remuda.agent.protocol;

import io.remuda.worker.job.signal.SignalNames;
import io.remuda.worker.job.signal.SignalReach;

/**
 * A signal that a user sends to a running task.
 *
 * @param name without {@code SIG}
 * @param number 1 to 31, as on Linux for x86 and ARM
 * @param reach which processes of the task get it
 */
public record TaskSignal(String name, int number, SignalReach reach) {

  /** How a request to a channel begins that is none, but a signal. */
  private static final String CHANNEL = "signal:";

  /**
   * Reads a name, with or without {@code SIG} and in any case, or a number; a reach may stand
   * before it, as in {@code all:USR1}.
   *
   * @throws IllegalArgumentException if it is no signal, or SIGKILL; the message is for users
   */
  public static TaskSignal parse(String text) {
    SignalReach.Aim aim = SignalReach.aim(text);
    String name =
        SignalNames.plainOfNumberOrName(aim.rest())
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "'"
                            + text
                            + "' is not a signal: write a name such as USR1, HUP, INT or TERM, or a"
                            + " number from 1 to "
                            + SignalNames.most()));
    if (name.equals("KILL")) {
      throw new IllegalArgumentException(
          "KILL ends a task without a state that says why: use remuda cancel --now");
    }
    return new TaskSignal(name, SignalNames.number(name), aim.reach());
  }

  /** Returns how users write it, such as {@code USR1} or {@code all:USR1}. */
  public String text() {
    return reach.prefix() + name;
  }

  /** Returns what an agent is asked to do; agents of an earlier build refuse another reach. */
  public ChannelExchangeRequest toAsk() {
    return new ChannelExchangeRequest(
        "signal", CHANNEL + reach.prefix() + number, 0, null, false, -1, 0, 0, false);
  }

  /** Returns whether an agent is asked for a signal, rather than for a channel. */
  public static boolean isAsked(ChannelExchangeRequest ask) {
    return ask.open() != null && ask.open().startsWith(CHANNEL);
  }

  /**
   * Returns the signal that an agent is asked for.
   *
   * @throws IllegalArgumentException if tasks may not get it
   */
  public static TaskSignal of(ChannelExchangeRequest ask) {
    return parse(ask.open().substring(CHANNEL.length()));
  }
}
