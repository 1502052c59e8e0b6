package io.remuda.agent.keeper;

/** The connection to the keeper has ended. */
public final class KeeperGone extends KeeperFailure {
  private static final long serialVersionUID = 1;

  public KeeperGone(Throwable cause) {
    super("the connection to the keeper has ended: " + cause, cause);
  }
}
