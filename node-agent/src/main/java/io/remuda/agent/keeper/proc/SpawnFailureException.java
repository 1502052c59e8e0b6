package io.remuda.agent.keeper.proc;

import io.remuda.agent.keeper.RefusalCode;

/** A task could not be started; the message is one line for the user. */
public final class SpawnFailureException extends Exception {
  private static final long serialVersionUID = 1;

  private final RefusalCode code;

  public SpawnFailureException(RefusalCode code, String message) {
    super(message);
    this.code = code;
  }

  public RefusalCode code() {
    return code;
  }
}
