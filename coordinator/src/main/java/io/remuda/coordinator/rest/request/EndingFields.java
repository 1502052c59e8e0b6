package io.remuda.coordinator.rest.request;

import static io.remuda.coordinator.jobfield.TimeRows.GRACE;
import static io.remuda.coordinator.jobfield.TimeRows.MAX_PREEMPTIONS;
import static io.remuda.coordinator.jobfield.TimeRows.ON_PREEMPT;
import static io.remuda.coordinator.jobfield.TimeRows.PREEMPTIBLE;
import static io.remuda.coordinator.jobfield.TimeRows.PREEMPT_AFTER;
import static io.remuda.coordinator.jobfield.TimeRows.PREEMPT_SIGNAL;
import static io.remuda.coordinator.jobfield.TimeRows.SIGNAL;
import static io.remuda.coordinator.jobfield.TrainingRows.EPOCHS;

import io.remuda.coordinator.jobfield.FieldValues;
import io.remuda.worker.job.EndingTerms;
import io.remuda.worker.job.PreemptionTerms;
import io.remuda.worker.job.SizeAndTimeParser;
import io.remuda.worker.job.WarningSignal;
import io.remuda.worker.job.signal.SignalReach;

/** The fields of a {@link JobRequest} that say how its attempts are ended or asked to leave. */
final class EndingFields {

  private final FieldValues request;

  EndingFields(FieldValues request) {
    this.request = request;
  }

  /**
   * Returns how its attempts are ended.
   *
   * @throws IllegalArgumentException if a field is wrong; the message has its name and value
   */
  EndingTerms ending() {
    String grace = request.get(GRACE);
    long millis =
        grace == null
            ? EndingTerms.USUAL.graceMillis()
            : JobRequest.field("grace", grace, JobRequest::millis);
    if (millis > EndingTerms.MOST_GRACE_MILLIS) {
      throw new IllegalArgumentException(
          "grace must be at most "
              + SizeAndTimeParser.words(EndingTerms.MOST_GRACE_MILLIS)
              + ", got "
              + grace);
    }
    return new EndingTerms(millis, !request.has(SIGNAL) ? null : warning());
  }

  private WarningSignal warning() {
    try {
      return WarningSignal.parse(request.get(SIGNAL));
    } catch (IllegalArgumentException wrong) {
      throw new IllegalArgumentException("signal: " + wrong.getMessage(), wrong);
    }
  }

  /** Returns when its tasks may be asked to leave; null for never. */
  PreemptionTerms preemption() {
    boolean training = request.has(EPOCHS);
    if (!request.or(PREEMPTIBLE, training)) {
      JobRequest.refuseWithout(PREEMPTIBLE, "preemptible", request);
      return null;
    }
    SignalReach.Aim aim = aim();
    PreemptionTerms usual = training ? PreemptionTerms.TRAINING : PreemptionTerms.USUAL;
    int most = request.or(MAX_PREEMPTIONS, usual.most());
    if (most < 1 || most > PreemptionTerms.MOST_TIMES) {
      throw new IllegalArgumentException(
          "maxPreemptions must be 1 to " + PreemptionTerms.MOST_TIMES + ", got " + most);
    }
    return new PreemptionTerms(
        aim == null ? null : signalName(aim.rest()),
        !request.has(ON_PREEMPT) ? usual.then() : then(),
        !request.has(PREEMPT_AFTER)
            ? usual.afterMillis()
            : JobRequest.field("preemptAfter", request.get(PREEMPT_AFTER), JobRequest::millis),
        most,
        aim == null ? usual.reach() : aim.reach());
  }

  /** Returns the signal that asks, with which processes it reaches; null if none is given. */
  private SignalReach.Aim aim() {
    try {
      return !request.has(PREEMPT_SIGNAL) ? null : SignalReach.aim(request.get(PREEMPT_SIGNAL));
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
      if (one.name().equalsIgnoreCase(request.get(ON_PREEMPT))) {
        return one;
      }
    }
    throw new IllegalArgumentException(
        "onPreempt must be requeue, hold or cancel, got '" + request.get(ON_PREEMPT) + "'");
  }
}
