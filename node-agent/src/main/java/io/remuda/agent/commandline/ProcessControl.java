package io.remuda.agent.commandline;

import java.io.IOException;
import java.io.PrintStream;
import java.util.List;

/**
 * What a command does to its process besides its work: a program has a process of its own for that,
 * and a command within another program leaves that one alone. Any thread.
 */
public interface ProcessControl {

  /** Is told of a signal. */
  interface SignalHandler {

    /**
     * Called on a thread of the JVM.
     *
     * @param name without {@code SIG}
     */
    void onSignal(String name, int number);
  }

  /** That of a command within another program: signals and streams are none of its business. */
  ProcessControl NONE = new NoProcessControl();

  /** Has a handler told of signals, in place of the one that is told now. */
  void onSignals(List<String> names, SignalHandler handler);

  /** Has a thread run when the process ends, other than by {@link #halt}. */
  void addShutdownHook(Thread hook);

  /**
   * Takes back {@link #addShutdownHook}.
   *
   * @throws IllegalStateException if the process is ending
   */
  void removeShutdownHook(Thread hook);

  /**
   * Ends the process at once, without shutdown hooks.
   *
   * @throws IllegalStateException if it is not the command's own process
   */
  void halt(int exitCode);

  /** Leaves the session of the terminal, so that its Ctrl-C does not reach the process. */
  void leaveSession();

  /** Keeps what is printed from now on from blocking, as on a disk that hangs. */
  void unblockOutput();

  /**
   * Closes standard output, which whoever has started the process waits for; what is printed there
   * afterwards goes to standard error.
   *
   * @throws IOException if nobody reads it any more
   */
  void closeOut() throws IOException;

  /** Sends what is printed to standard error elsewhere. */
  void redirectErr(PrintStream to);

  /** Sets the least level of log lines, such as {@code WARN}, before the first line is logged. */
  void logFrom(String level);
}
