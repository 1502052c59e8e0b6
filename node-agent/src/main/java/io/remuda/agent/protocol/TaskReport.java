package io.remuda.agent.protocol;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.remuda.worker.job.AttemptId;
import java.util.List;

/**
 * One attempt as its agent sees it.
 *
 * @param pid of its process, or 0 before it has one
 * @param progress what it last said of itself, or null
 * @param end how it ended, only in the phases ENDED and REFUSED; in ENDING why it does not, of kind
 *     {@link TaskEnd.Kind#NOT_GONE}
 * @param facts what its environment says of it, for a coordinator that may not know it; else null
 */
public record TaskReport(
    AttemptId attempt,
    TaskPhase phase,
    long pid,
    TaskProgress progress,
    TaskEnd end,
    @JsonInclude(JsonInclude.Include.NON_NULL) Facts facts) {

  /** One that its coordinator knows. */
  public TaskReport(
      AttemptId attempt, TaskPhase phase, long pid, TaskProgress progress, TaskEnd end) {
    this(attempt, phase, pid, progress, end, null);
  }

  /** The same with what it used of its devices, once it has ended. */
  public TaskReport with(TaskEnd.GpuUse use) {
    return end == null ? this : new TaskReport(attempt, phase, pid, progress, end.with(use));
  }

  /** The same with what is known of it. */
  public TaskReport with(Facts known) {
    return new TaskReport(attempt, phase, pid, progress, end, known);
  }

  /** Work done so far in a phase of the workload; {@code total} is 0 when not known. */
  public record TaskProgress(long done, long total, String phase) {}

  /**
   * What a task was told of itself when it was started.
   *
   * @param name of its job
   * @param user who has submitted it
   * @param milliCpus thousandths of CPUs that it has
   * @param memory bytes of its machine that it was promised
   * @param devices that it has, by UUID
   */
  public record Facts(String name, String user, long milliCpus, long memory, List<String> devices) {
    public Facts {
      devices = List.copyOf(devices);
    }
  }
}
