package io.remuda.coordinator.rest.answer;

import io.remuda.coordinator.waits.WaitRecords;
import io.remuda.coordinator.waits.WaitSpan;
import java.util.ArrayList;
import java.util.List;

/**
 * Why a job has waited.
 *
 * @param reasons in order
 * @param since from when on this is known, in seconds since 1970
 */
public record WaitingAnswer(List<Reason> reasons, long since) {

  /**
   * A time in which it waited for one reason.
   *
   * @param task index of its first waiting task
   * @param reason name of the first reason
   * @param text that reason in words, as it was last
   * @param from in seconds since 1970, as the other times
   * @param to null if it still waits for it
   * @param turn its place in the order of the waiting jobs, as it was last; null if not known
   * @param expectedStart when it was expected to start, as it was last; null if not known
   */
  public record Reason(
      int task, String reason, String text, long from, Long to, Integer turn, Long expectedStart) {

    private static Reason of(WaitSpan span, boolean over) {
      return new Reason(
          span.task(),
          span.reason(),
          span.text(),
          span.from(),
          over ? Long.valueOf(span.to()) : null,
          span.turn() == 0 ? null : Integer.valueOf(span.turn()),
          span.expectedStart() == 0 ? null : Long.valueOf(span.expectedStart()));
    }
  }

  public static WaitingAnswer of(WaitRecords.JobSpans job) {
    List<Reason> reasons = new ArrayList<>();
    int last = job.spans().size() - 1;
    for (int at = 0; at <= last; at++) {
      reasons.add(Reason.of(job.spans().get(at), at < last || !job.waits()));
    }
    return new WaitingAnswer(reasons, job.since());
  }
}
