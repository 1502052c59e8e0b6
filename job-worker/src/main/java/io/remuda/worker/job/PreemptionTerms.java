package io.remuda.worker.job;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.remuda.worker.job.signal.SignalReach;
import java.util.Objects;

/**
 * When a job's tasks may be asked to leave their places for tasks of higher priority, and what then
 * happens to them.
 *
 * @param signal name of the signal that asks, without {@code SIG}; null for SIGTERM. SIGKILL
 *     follows after the grace period
 * @param then what becomes of a task that has left
 * @param afterMillis how long an attempt runs before it may be asked, 0 or more
 * @param most how often a task may be asked, 1 to {@value #MOST_TIMES}
 * @param reach which of its processes the signal asks; null is read as {@link SignalReach#FIRST},
 *     for jobs that an earlier build has stored
 */
public record PreemptionTerms(
    @JsonInclude(JsonInclude.Include.NON_NULL) String signal,
    Then then,
    long afterMillis,
    int most,
    @JsonInclude(value = JsonInclude.Include.CUSTOM, valueFilter = SignalReach.LeftOut.class)
        SignalReach reach) {

  /** What becomes of a task that has left its place. */
  public enum Then {
    /** It waits for a place again. */
    REQUEUE,
    /** Its job is put on hold. */
    HOLD,
    /** It is cancelled. */
    CANCEL
  }

  /** Greatest number of times that a task may be asked. */
  public static final int MOST_TIMES = 1000;

  /** SIGTERM after a minute of running; the task waits again. */
  public static final PreemptionTerms USUAL =
      new PreemptionTerms(null, Then.REQUEUE, 60_000, MOST_TIMES);

  /** For a training: it may be asked at once, because it leaves between two epochs. */
  public static final PreemptionTerms TRAINING =
      new PreemptionTerms(null, Then.REQUEUE, 0, MOST_TIMES);

  /** Terms by which the first process is asked. */
  public PreemptionTerms(String signal, Then then, long afterMillis, int most) {
    this(signal, then, afterMillis, most, SignalReach.FIRST);
  }

  public PreemptionTerms {
    reach = reach == null ? SignalReach.FIRST : reach;
    Objects.requireNonNull(then, "then");
    if (signal != null) {
      WarningSignal.numberOf(signal);
    }
    RecordChecks.notNegative("afterMillis", afterMillis);
    RecordChecks.within("most", 1, MOST_TIMES, most);
  }

  /** Returns whether tasks with these terms leave at once, however often; null is never. */
  static boolean isAtOnce(PreemptionTerms terms) {
    return terms != null && terms.afterMillis() == 0 && terms.most() == MOST_TIMES;
  }

  /** Returns the terms by which tasks are asked as by these, but at once, however often. */
  public PreemptionTerms atOnce() {
    return new PreemptionTerms(signal, then, 0, MOST_TIMES, reach);
  }

  /** Returns the number of the signal that asks. */
  public int signalNumber() {
    return WarningSignal.numberOf(signal == null ? "TERM" : signal);
  }
}
