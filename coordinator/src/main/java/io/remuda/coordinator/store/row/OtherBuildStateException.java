package io.remuda.coordinator.store.row;

/** Thrown if only a server of another build may use the state; the message says which. */
public final class OtherBuildStateException extends StoreDamagedException {
  private static final long serialVersionUID = 1;

  public OtherBuildStateException(String message) {
    super(message);
  }
}
