package io.remuda.agent.protocol;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.TrainingProgress;
import java.util.List;

/**
 * The state of one attempt as its agent sees it.
 *
 * @param pid pid of its process; 0 while it has none
 * @param progress its last reported progress, or null
 * @param end how it ended, in the phases ENDED and REFUSED; in ENDING why it has not ended, of kind
 *     {@link TaskEnd.Kind#NOT_GONE}; in STARTING why it has not started for long, of kind {@link
 *     TaskEnd.Kind#NOT_BEGUN}, which coordinators of earlier builds pass over; else null
 * @param facts facts from its environment, for a coordinator that may not know it; else null
 * @param training how far it is, if it is a user's training that has told it; else null
 * @param use what it has used so far, told from time to time while it runs; else null
 */
public record TaskReport(
    AttemptId attempt,
    TaskPhase phase,
    long pid,
    TaskProgress progress,
    TaskEnd end,
    @JsonInclude(JsonInclude.Include.NON_NULL) Facts facts,
    @JsonInclude(JsonInclude.Include.NON_NULL) TrainingProgress training,
    @JsonInclude(JsonInclude.Include.NON_NULL) TaskUse use) {

  /** Creates the report of an attempt that the coordinator knows. */
  public TaskReport(
      AttemptId attempt, TaskPhase phase, long pid, TaskProgress progress, TaskEnd end) {
    this(attempt, phase, pid, progress, end, null, null, null);
  }

  /** Returns a copy with what was measured on its devices; unchanged if it has not ended. */
  public TaskReport with(TaskEnd.GpuUse use, AttemptGpuUtilization load) {
    return end == null
        ? this
        : new TaskReport(attempt, phase, pid, progress, end.with(use, load), facts, training, null);
  }

  /** Returns a copy with what there is to say about its end, or about why it does not start. */
  public TaskReport with(TaskEnd other) {
    return new TaskReport(attempt, phase, pid, progress, other, facts, training, use);
  }

  /** Returns a copy with facts about it. */
  public TaskReport with(Facts known) {
    return new TaskReport(attempt, phase, pid, progress, end, known, training, use);
  }

  /** Returns a copy with the progress of a training; null for none. */
  public TaskReport with(TrainingProgress told) {
    return new TaskReport(attempt, phase, pid, progress, end, facts, told, use);
  }

  /** Returns a copy with what it has used so far. */
  public TaskReport with(TaskUse used) {
    return new TaskReport(attempt, phase, pid, progress, end, facts, training, used);
  }

  /** Work done so far in a phase of the workload; {@code total} is 0 if unknown. */
  public record TaskProgress(long done, long total, String phase) {}

  /**
   * Facts that a task received when it was started.
   *
   * @param name name of its job
   * @param user submitter of the job
   * @param milliCpus thousandths of CPUs assigned to it
   * @param memory promised bytes of the machine's memory
   * @param devices UUIDs of its devices
   */
  public record Facts(String name, String user, long milliCpus, long memory, List<String> devices) {
    public Facts {
      devices = List.copyOf(devices);
    }
  }
}
