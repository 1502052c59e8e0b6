package io.remuda.coordinator.registry;

import io.remuda.worker.job.CommandWorkload;
import io.remuda.worker.job.JobSpec;
import io.remuda.worker.job.Workload;
import java.util.Map;

/**
 * About how many bytes of the server's memory jobs take that are not over. It is rather too much
 * than too little: what is accepted by it has to find room again after a restart. Measured by
 * {@code MemoryEstimateTest}.
 */
public final class MemoryEstimate {

  /** A job of one task, with all that is kept of it, but for its texts. */
  public static final long JOB = 1600;

  /** A task to which something has happened and that is not over. */
  public static final long TOUCHED = 600;

  /** Any other task, once the array has come as far as there. */
  public static final long TASK = 4;

  private static final long TEXT = 56;
  private static final long LETTER = 2;
  private static final long VARIABLE = 24;

  private MemoryEstimate() {}

  /** A job without its environment, which it may share with others. */
  public static long job(JobSpec job) {
    long bytes = JOB + TASK * job.tasks().size() + text(job.name()) + text(job.user());
    bytes += text(job.request().gpuModel()) + texts(job.request().labels());
    bytes += TEXT * job.terms().after().size();
    return bytes + workload(job.tasks().get(0));
  }

  /** What a job's tasks do, without their environment. */
  public static long workload(Workload workload) {
    if (!(workload instanceof CommandWorkload command)) {
      return TEXT;
    }
    long bytes = text(command.folder());
    for (String argument : command.argv()) {
      bytes += text(argument);
    }
    return bytes;
  }

  /** Variables, or labels. */
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
