package io.remuda.agent.keeper;

/** A task could not be started; the message is one line for the user. */
final class SpawnFailure extends Exception {
  private static final long serialVersionUID = 1;

  private final RefusalCode code;

  SpawnFailure(RefusalCode code, String message) {
    super(message);
    this.code = code;
  }

  RefusalCode code() {
    return code;
  }
}
