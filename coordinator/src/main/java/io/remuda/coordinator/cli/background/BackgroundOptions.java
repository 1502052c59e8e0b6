package io.remuda.coordinator.cli.background;

import io.remuda.agent.keeper.program.OwnSession;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Option;
import sun.misc.Signal;

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
  public void leaveTerminal(Path home) {
    OwnSession.enter();
    // a handler and not SIG_IGN, which tasks would inherit
    Signal.handle(new Signal("HUP"), signal -> {});
    LogRotation.watch(home.resolve(LOG));
  }

  /**
   * Closes stdout, which tells the process that waits at its other end that the server is ready.
   * What is printed afterwards goes to the log.
   */
  public static void reportReady() {
    System.out.flush();
    System.setOut(System.err);
    try (FileOutputStream pipe = new FileOutputStream(FileDescriptor.out)) {
      pipe.flush();
    } catch (IOException nobodyWaits) {
      System.err.println("remuda: nobody waited for this server: " + nobodyWaits.getMessage());
    }
  }
}
