package io.remuda.coordinator.cluster;

/** What the formation of a cluster waits for, for those who ask. Thread-safe. */
public final class FormationState {

  private volatile String waitsFor = "it has just been started";

  /** Returns why this member is in no cluster. */
  public String waitsFor() {
    return waitsFor;
  }

  void waitsFor(String reason) {
    waitsFor = reason;
  }
}
