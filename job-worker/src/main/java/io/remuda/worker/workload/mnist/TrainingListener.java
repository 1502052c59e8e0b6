package io.remuda.worker.workload.mnist;

import java.util.List;

/**
 * Receives the progress of a training run. All methods are called on the training thread and should
 * return quickly.
 */
public interface TrainingListener {

  /**
   * Called once, before the first batch, with the device in use and, if it is not the GPU, the
   * reason.
   */
  void device(String text);

  /**
   * Called after the first batch of a run, then at most once per second.
   *
   * @param epoch number of the epoch, from 1
   * @param epochs total number of epochs
   * @param done number of training images processed in this epoch
   * @param total number of training images per epoch
   * @param loss mean negative log likelihood of the last batch
   */
  void batch(int epoch, int epochs, long done, long total, double loss);

  /**
   * Called at most once, before the first batch, when the training continues from a snapshot. These
   * epochs are not reported by {@link #epoch} again.
   *
   * @param done the results of the epochs done, the first epoch first; never empty
   */
  default void resumed(List<EpochReport> done) {}

  /** Called with a sentence for the user when a snapshot was damaged or could not be written. */
  default void snapshotTrouble(String text) {}

  /** Called after each epoch, with snapshots once the snapshot of the epoch has been written. */
  void epoch(EpochReport report);

  /**
   * Called before every batch; if it returns true, the run ends with {@link
   * TrainingStoppedException}.
   */
  boolean stopRequested();
}
