package io.remuda.agent.keeper;

/** The connection to the keeper has ended. */
public final class KeeperGoneException extends UnansweredKeeperCallException {
  private static final long serialVersionUID = 1;

  public KeeperGoneException(Throwable cause) {
    super("the connection to the keeper has ended: " + cause, cause);
  }
}
