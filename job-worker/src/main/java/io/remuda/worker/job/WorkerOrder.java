package io.remuda.worker.job;

import java.util.Objects;

/**
 * The order that a worker process reads from its task folder at start.
 *
 * @param version format version of this record on disk
 * @param attempt the attempt to run
 * @param workload the work to do
 * @param threads number of computing threads, at least 1
 * @param cuda whether it may train on a GPU
 * @param cacheFolder folder for native libraries and downloaded data
 * @param snapshotFolder absolute path of the folder with the snapshots of this training alone; it
 *     is made if it is missing. Null for a training without snapshots and for other workloads
 */
public record WorkerOrder(
    int version,
    AttemptId attempt,
    Workload workload,
    int threads,
    boolean cuda,
    String cacheFolder,
    String snapshotFolder) {

  /** The version that this build writes. */
  public static final int VERSION = 1;

  /** The file name in the task folder. */
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
    if (snapshotFolder != null && !snapshotFolder.startsWith("/")) {
      throw new IllegalArgumentException(
          "snapshotFolder must be an absolute path, got " + snapshotFolder);
    }
  }

  /** An order without snapshots. */
  public WorkerOrder(
      int version,
      AttemptId attempt,
      Workload workload,
      int threads,
      boolean cuda,
      String cacheFolder) {
    this(version, attempt, workload, threads, cuda, cacheFolder, null);
  }
}
