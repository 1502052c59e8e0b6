package io.remuda.coordinator.waits;

/**
 * A time in which a job waited for one reason. Times are seconds since 1970.
 *
 * @param task index of its first waiting task
 * @param reason name of the first reason, such as {@code on-hold}
 * @param text that reason in words, as it was last
 * @param to when it was over; for one that is not, when it was seen last
 * @param turn the job's place in the order of waiting jobs when it was seen last; 0 if not known
 * @param expectedStart when it was expected to start, as it was last; 0 if not known
 */
public record WaitSpan(
    long job,
    int task,
    String reason,
    String text,
    long from,
    long to,
    int turn,
    long expectedStart) {

  /** Returns a copy that was seen later. */
  WaitSpan seen(WaitSpan now) {
    return new WaitSpan(
        job, task, reason, now.text(), from, now.to(), now.turn(), now.expectedStart());
  }

  /** Returns a copy that was over at a time. */
  WaitSpan until(long second) {
    return new WaitSpan(job, task, reason, text, from, second, turn, expectedStart);
  }

  /** Returns whether another one is of the same task and has the same reason. */
  boolean continues(WaitSpan before) {
    return task == before.task && reason.equals(before.reason);
  }
}
