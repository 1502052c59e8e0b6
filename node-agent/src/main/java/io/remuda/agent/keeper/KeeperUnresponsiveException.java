package io.remuda.agent.keeper;

/** The keeper did not answer in time: it is stopped, or the machine is stalled. */
public final class KeeperUnresponsiveException extends UnansweredKeeperCallException {
  private static final long serialVersionUID = 1;

  public KeeperUnresponsiveException(String message) {
    super(message, null);
  }
}
