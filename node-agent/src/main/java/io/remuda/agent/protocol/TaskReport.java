package io.remuda.agent.protocol;

import io.remuda.worker.job.AttemptId;

/**
 * One attempt as its agent sees it.
 *
 * @param pid of its process, or 0 before it has one
 * @param progress what it last said of itself, or null
 * @param end how it ended, only in the phases ENDED and REFUSED; in ENDING why it does not, of kind
 *     {@link TaskEnd.Kind#NOT_GONE}
 */
public record TaskReport(
    AttemptId attempt, TaskPhase phase, long pid, TaskProgress progress, TaskEnd end) {

  /** The same with what it used of its devices, once it has ended. */
  public TaskReport with(TaskEnd.GpuUse use) {
    return end == null ? this : new TaskReport(attempt, phase, pid, progress, end.with(use));
  }

  /** Work done so far in a phase of the workload; {@code total} is 0 when not known. */
  public record TaskProgress(long done, long total, String phase) {}
}
