package io.remuda.coordinator.rest.request;

import io.remuda.worker.job.PreemptionTerms;
import io.remuda.worker.job.WarningSignal;

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
        request.preemptSignal() == null ? null : signalName(),
        request.onPreempt() == null ? usual.then() : then(),
        request.preemptAfter() == null
            ? usual.afterMillis()
            : JobRequest.field("preemptAfter", request.preemptAfter(), JobRequest::millis),
        JobRequest.or(request.maxPreemptions(), usual.most()));
  }

  private String signalName() {
    try {
      return WarningSignal.checkedName(request.preemptSignal());
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
