package io.remuda.coordinator.registry.policy;

import io.remuda.worker.job.CommandWorkload;
import io.remuda.worker.job.JobSpec;
import io.remuda.worker.job.JobTerms;
import io.remuda.worker.job.Workload;
import java.util.Map;

/**
 * Estimates of the server's memory used by live jobs. They err on the high side, because accepted
 * jobs must fit again after a restart. Measured by {@code ServerMemoryEstimateTest}.
 */
public final class ServerMemoryEstimate {

  /** Bytes of a job with one task, without its strings. */
  public static final long JOB = 1600;

  /** Bytes of a touched task that has not ended. */
  public static final long TOUCHED = 600;

  /** Bytes of any other task, once its page of the array is in use. */
  public static final long TASK = 4;

  /** Bytes of what is known of a member of a gang, for all others to be told. */
  private static final long MEMBER = 400;

  private static final long TEXT = 56;
  private static final long LETTER = 2;
  private static final long VARIABLE = 24;

  private ServerMemoryEstimate() {}

  /** Returns the bytes of a job without its environment, which it may share with others. */
  public static long job(JobSpec job) {
    return job(job, job.tasks().size());
  }

  /** Returns the same for a job of so many tasks, of which it may have only those that differ. */
  public static long job(JobSpec job, int tasks) {
    long bytes = JOB + TASK * tasks + text(job.name()) + text(job.user());
    bytes += text(job.request().gpuModel()) + texts(job.request().labels());
    bytes += TEXT * job.terms().after().size();
    bytes += job.terms().startsTogether() ? MEMBER * tasks : 0;
    return bytes + sweep(job.terms()) + workload(job.tasks().get(0));
  }

  /** Returns the bytes of what each task has for itself. */
  public static long sweep(JobTerms terms) {
    return terms.array().sweep() == null ? 0 : terms.array().sweep().bytes();
  }

  /** Returns the bytes of a workload without its environment. */
  public static long workload(Workload workload) {
    if (!(workload instanceof CommandWorkload command)) {
      return TEXT;
    }
    long bytes = text(command.folder());
    if (command.streams() != null) {
      bytes += TEXT + text(command.streams().inputData()) + text(command.streams().output());
    }
    for (String argument : command.argv()) {
      bytes += text(argument);
    }
    return bytes;
  }

  /** Returns the bytes of variables or labels. */
  public static long texts(Map<String, String> texts) {
    long bytes = 0;
    for (Map.Entry<String, String> variable : texts.entrySet()) {
      bytes += VARIABLE + text(variable.getKey()) + text(variable.getValue());
    }
    return bytes;
  }

  private static long text(String text) {
    return text == null ? 0 : TEXT + LETTER * text.length();
  }
}
