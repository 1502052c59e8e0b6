package io.remuda.coordinator.cli.server;

import io.remuda.agent.commandline.Caller;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Option;

/** Options of a server that leaves the terminal. */
public final class BackgroundOptions {

  /** Name of the log in the state folder. */
  public static final String LOG = "serve.log";

  static final String DETACH = "--detach";
  static final String DETACHED = "--detached";

  @Option(
      names = DETACH,
      description =
          "return when the server is ready and its own node has joined; it runs on without this terminal or ssh session, with"
              + " its log in $$REMUDA_HOME/serve.log")
  private boolean detach;

  @Option(names = DETACHED, hidden = true, description = "this is the server of --detach")
  private boolean detached;

  /** Returns whether a server is to be started in the background, by this process. */
  public boolean isAsked() {
    return detach && !detached;
  }

  /** Returns whether this process is such a server. */
  public boolean isDetached() {
    return detached;
  }

  /** Leaves the session of the terminal; a hang-up of the terminal ends this process no more. */
  public static void leaveTerminal(Caller caller) {
    // a handler and not SIG_IGN, which tasks would inherit
    caller.process().onSignals(List.of("HUP"), (name, number) -> {});
    leaveSession(caller);
  }

  /** Leaves the session of the terminal, whose Ctrl-C ends this process no more. */
  public static void leaveSession(Caller caller) {
    caller.process().leaveSession();
  }

  /**
   * Closes stdout, which tells the process that waits at its other end that the server is ready.
   * What is printed afterwards goes to the log.
   */
  public static void reportReady(Caller caller) {
    try {
      caller.process().closeOut();
    } catch (IOException nobodyWaits) {
      caller.err().println("remuda: nobody waited for this server: " + nobodyWaits.getMessage());
    }
  }
}
