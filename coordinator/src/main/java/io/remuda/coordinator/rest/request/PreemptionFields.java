package io.remuda.coordinator.rest.request;

import io.remuda.worker.job.PreemptionTerms;
import io.remuda.worker.job.WarningSignal;
import io.remuda.worker.job.signal.SignalReach;

/** The fields of a {@link JobRequest} by which its tasks may be asked to leave their places. */
final class PreemptionFields {

  private final JobRequest request;

  PreemptionFields(JobRequest request) {
    this.request = request;
  }

  /** Returns when its tasks may be asked to leave; null for never. */
  PreemptionTerms terms() {
    boolean stated =
        request.preemptSignal() != null
            || request.onPreempt() != null
            || request.preemptAfter() != null
            || request.maxPreemptions() != null;
    boolean training = request.epochs() != null;
    if (!JobRequest.or(request.preemptible(), training)) {
      if (stated) {
        throw new IllegalArgumentException(
            "preemptSignal, onPreempt, preemptAfter and maxPreemptions want preemptible");
      }
      return null;
    }
    SignalReach.Aim aim = aim();
    PreemptionTerms usual = training ? PreemptionTerms.TRAINING : PreemptionTerms.USUAL;
    if (request.maxPreemptions() != null
        && (request.maxPreemptions() < 1
            || request.maxPreemptions() > PreemptionTerms.MOST_TIMES)) {
      throw new IllegalArgumentException(
          "maxPreemptions must be 1 to "
              + PreemptionTerms.MOST_TIMES
              + ", got "
              + request.maxPreemptions());
    }
    return new PreemptionTerms(
        aim == null ? null : signalName(aim.rest()),
        request.onPreempt() == null ? usual.then() : then(),
        request.preemptAfter() == null
            ? usual.afterMillis()
            : JobRequest.field("preemptAfter", request.preemptAfter(), JobRequest::millis),
        JobRequest.or(request.maxPreemptions(), usual.most()),
        aim == null ? usual.reach() : aim.reach());
  }

  /** Returns the signal that asks, with which processes it reaches; null if none is given. */
  private SignalReach.Aim aim() {
    try {
      return request.preemptSignal() == null ? null : SignalReach.aim(request.preemptSignal());
    } catch (IllegalArgumentException wrong) {
      throw new IllegalArgumentException("preemptSignal: " + wrong.getMessage(), wrong);
    }
  }

  private static String signalName(String text) {
    try {
      return WarningSignal.checkedName(text);
    } catch (IllegalArgumentException wrong) {
      throw new IllegalArgumentException("preemptSignal: " + wrong.getMessage(), wrong);
    }
  }

  private PreemptionTerms.Then then() {
    for (PreemptionTerms.Then one : PreemptionTerms.Then.values()) {
      if (one.name().equalsIgnoreCase(request.onPreempt())) {
        return one;
      }
    }
    throw new IllegalArgumentException(
        "onPreempt must be requeue, hold or cancel, got '" + request.onPreempt() + "'");
  }
}
