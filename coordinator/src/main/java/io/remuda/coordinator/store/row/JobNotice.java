package io.remuda.coordinator.store.row;

import io.remuda.worker.job.NotificationTerms;
import java.util.Locale;

/**
 * What happened to a job, for the receiver that the job names.
 *
 * @param to the receiver, as in {@link NotificationTerms#to}
 * @param event start or end
 * @param at milliseconds since 1970
 * @param state of the job
 * @param reason why it ended so, or null
 * @param exitCode the first other than 0 of its tasks, or null
 * @param tasks number of its tasks
 */
public record JobNotice(
    String to,
    String event,
    long at,
    long job,
    String name,
    String user,
    String state,
    String reason,
    Integer exitCode,
    int tasks,
    long submitted,
    long started,
    long ended) {

  /**
   * Returns the notice of a change, or null if nobody wants to know.
   *
   * @param terms null if nobody is told anything
   */
  public static JobNotice of(NotificationTerms terms, JobRow before, JobRow now, long at) {
    if (terms == null) {
      return null;
    }
    boolean ends = now.state().isFinal();
    boolean failed = ends && now.state() != io.remuda.coordinator.lifecycle.TaskState.SUCCEEDED;
    boolean starts = before.started() == 0 && now.started() > 0;
    boolean told =
        ends && terms.on().contains(NotificationTerms.Occasion.END)
            || failed && terms.on().contains(NotificationTerms.Occasion.FAIL)
            || starts && !ends && terms.on().contains(NotificationTerms.Occasion.START);
    return told
        ? new JobNotice(
            terms.to(),
            (ends ? NotificationTerms.Occasion.END : NotificationTerms.Occasion.START)
                .name()
                .toLowerCase(Locale.ROOT),
            at,
            now.id().value(),
            now.name(),
            now.user(),
            now.state().label(),
            now.reason(),
            now.exitCode(),
            now.tasks(),
            now.submitted(),
            now.started(),
            now.ended())
        : null;
  }
}
