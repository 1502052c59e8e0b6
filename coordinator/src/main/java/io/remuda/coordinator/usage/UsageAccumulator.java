package io.remuda.coordinator.usage;

import io.remuda.coordinator.profile.JobType;
import io.remuda.worker.job.CommandWorkload;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobSpec;
import io.remuda.worker.job.JobTerms.Qos;
import io.remuda.worker.job.LeasedProgramWorkload;
import io.remuda.worker.job.MnistWorkload;
import io.remuda.worker.job.Workload;
import java.util.LinkedHashMap;
import java.util.Map;

/** Sums what attempts used that have left their places, until it is stored. Single-threaded. */
public final class UsageAccumulator {

  private record Holder(String user, String type, String node) {}

  /** Ends the names of sums of scavengers, so no type has it at its end. */
  public static final String SCAVENGER = " (scavenger)";

  private final Map<Holder, UsageTotals> left = new LinkedHashMap<>();

  /** The job of the last attempt, since many tasks of one job end one after the other. */
  private JobId lastJob;

  private String lastType;

  /**
   * Adds an attempt that has left its place.
   *
   * @param task index of its task
   * @param isOver whether its task has ended with it
   */
  public void left(JobSpec job, int task, String node, AttemptUsage attempt, boolean isOver) {
    UsageTotals totals = attempt.totals(task == 0, isOver);
    if (!totals.equals(UsageTotals.NONE)) {
      if (!job.id().equals(lastJob)) {
        lastJob = job.id();
        lastType = sumOf(job);
      }
      left.merge(new Holder(job.user(), lastType, node), totals, UsageTotals::plus);
    }
  }

  /** Returns the name under which the use of a job is summed; scavengers have sums of their own. */
  public static String sumOf(JobSpec job) {
    return typeOf(job) + (job.terms().qos() == Qos.SCAVENGER ? SCAVENGER : "");
  }

  /**
   * Returns a user's name for sums by user: that of their scavengers if the type is one of these.
   */
  public static String userOf(String user, String type) {
    return type.endsWith(SCAVENGER) ? user + SCAVENGER : user;
  }

  /** Returns the name of the type of a job. */
  public static String typeOf(JobSpec job) {
    if (job.terms().type() != null) {
      return job.terms().type();
    }
    Workload work = job.tasks().get(0);
    if (work instanceof CommandWorkload command) {
      return JobType.nameOf(command.argv());
    }
    if (work instanceof LeasedProgramWorkload) {
      return "lease";
    }
    return work instanceof MnistWorkload ? "mnist" : "convolution";
  }

  /** Returns the sums since the last call, for this day; they are not in the next ones. */
  public Map<UsageKey, UsageTotals> take(long day) {
    Map<UsageKey, UsageTotals> taken = new LinkedHashMap<>();
    left.forEach(
        (holder, totals) ->
            taken.put(new UsageKey(day, holder.user(), holder.type(), holder.node()), totals));
    left.clear();
    return taken;
  }
}
