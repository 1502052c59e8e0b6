package io.remuda.worker.job;

import java.util.Objects;

/**
 * What a worker process finds in its task folder when it starts.
 *
 * @param version of this record on disk
 * @param attempt which try of which task it is
 * @param workload what to do
 * @param threads for computing, at least 1
 * @param cuda whether it may train on a GPU
 * @param cacheFolder for native libraries and downloaded data
 */
public record WorkerOrder(
    int version,
    AttemptId attempt,
    Workload workload,
    int threads,
    boolean cuda,
    String cacheFolder) {

  /** The version that this build writes. */
  public static final int VERSION = 1;

  /** Its file's name in the task folder. */
  public static final String FILE = "order.json";

  public WorkerOrder {
    Objects.requireNonNull(attempt, "attempt");
    Objects.requireNonNull(workload, "workload");
    Objects.requireNonNull(cacheFolder, "cacheFolder");
    RecordChecks.atLeast("threads", 1, threads);
    if (version != VERSION) {
      throw new IllegalArgumentException(
          "order of version " + version + ", this build reads version " + VERSION);
    }
  }
}
