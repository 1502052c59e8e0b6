package io.remuda.coordinator.cluster;

/** Thrown if the coordinator has left this process while a request was under way. */
public final class NoLeaderHereException extends RuntimeException {

  private static final long serialVersionUID = 1;

  public NoLeaderHereException() {
    super("this coordinator does not lead any more");
  }
}
