package io.remuda.agent.keeper;

/** A call to the keeper got no answer; whether it took effect is unknown. */
public abstract sealed class UnansweredKeeperCallException extends RuntimeException
    permits KeeperUnresponsiveException, KeeperGoneException {
  private static final long serialVersionUID = 1;

  UnansweredKeeperCallException(String message, Throwable cause) {
    super(message, cause);
  }
}
