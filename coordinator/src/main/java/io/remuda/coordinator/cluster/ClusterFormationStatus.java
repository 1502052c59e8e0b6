package io.remuda.coordinator.cluster;

import java.util.Optional;

/** What the formation of a cluster waits for, for those who ask. Thread-safe. */
public final class ClusterFormationStatus {

  private volatile NotReadyReason waitsFor = new NotReadyReason("it has just been started");
  private volatile boolean outdated;

  /** Returns why this member is in no cluster. */
  public NotReadyReason waitsFor() {
    return waitsFor;
  }

  /** Returns whether this member stays out, since its build cannot read the state. */
  boolean isOutdated() {
    return outdated;
  }

  /** Returns why this member's build cannot read the state; empty if it can, or that is unknown. */
  Optional<String> outdated() {
    return outdated ? Optional.of(waitsFor.detail()) : Optional.empty();
  }

  void waitsFor(NotReadyReason reason) {
    waitsFor = reason;
    outdated = false;
  }

  void staysOut(String reason) {
    waitsFor = new NotReadyReason("its build cannot read the state", reason);
    outdated = true;
  }
}
