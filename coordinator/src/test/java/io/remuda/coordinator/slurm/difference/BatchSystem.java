package io.remuda.coordinator.slurm.difference;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** What runs scripts: Slurm, or Remuda. */
interface BatchSystem {

  /** What became of a submission: the number of the job, or why it was refused. */
  record Submission(Optional<Long> number, String said) {}

  /** A short name, also of its folder. */
  String name();

  /**
   * Submits a script.
   *
   * @param folder of the submission
   * @param piped whether it comes by standard input
   */
  Submission submit(Path folder, Path script, boolean piped) throws IOException;

  /** Sends a job back to the queue. */
  void requeue(long job) throws IOException;

  /** Sends a signal to what a script has started. */
  void signal(long job, String signal) throws IOException;

  /** Returns whether nothing runs or will. */
  boolean isOver() throws IOException;

  /** Returns how the tasks of a job or array ended, by index or {@code -}: code and signal. */
  Map<String, String> ends(long job, boolean array) throws IOException;
}
