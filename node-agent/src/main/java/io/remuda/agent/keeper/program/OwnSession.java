package io.remuda.agent.keeper.program;

import io.remuda.agent.keeper.proc.Posix;

/** Leaves the terminal's session, so that its Ctrl-C does not reach this process. */
public final class OwnSession {

  private OwnSession() {}

  /** Makes this process the leader of a new session; does nothing if it leads one already. */
  public static void enter() {
    Posix.setsid();
  }
}
