package io.remuda.agent.keeper;

/** A call to the keeper got no answer; whether it took effect is unknown. */
public abstract sealed class KeeperFailure extends RuntimeException
    permits KeeperUnresponsive, KeeperGone {
  private static final long serialVersionUID = 1;

  KeeperFailure(String message, Throwable cause) {
    super(message, cause);
  }
}
