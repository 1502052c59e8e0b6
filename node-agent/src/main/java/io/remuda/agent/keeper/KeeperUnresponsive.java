package io.remuda.agent.keeper;

/** The keeper did not answer in time: it is stopped, or the machine is stalled. */
public final class KeeperUnresponsive extends KeeperFailure {
  private static final long serialVersionUID = 1;

  public KeeperUnresponsive(String message) {
    super(message, null);
  }
}
