package io.remuda.coordinator.cluster;

/** What the formation of a cluster waits for, for those who ask. Thread-safe. */
public final class FormationState {

  private volatile String waitsFor = "it has just been started";
  private volatile boolean outdated;

  /** Returns why this member is in no cluster. */
  public String waitsFor() {
    return waitsFor;
  }

  /** Returns whether this member stays out, since its build cannot read the state. */
  boolean isOutdated() {
    return outdated;
  }

  void waitsFor(String reason) {
    waitsFor = reason;
    outdated = false;
  }

  void staysOut(String reason) {
    waitsFor = reason;
    outdated = true;
  }
}
