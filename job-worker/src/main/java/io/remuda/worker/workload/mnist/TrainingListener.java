package io.remuda.worker.workload.mnist;

/** Follows a training run. Everything is called on the thread that trains, and should be quick. */
public interface TrainingListener {

  /** Called once, before the first batch: which device is used, and why if it is not the GPU. */
  void device(String text);

  /**
   * Called after the first batch of a run, then at most once a second.
   *
   * @param epoch which one, from 1
   * @param epochs how many there will be
   * @param done how many training images of this epoch are done
   * @param total how many it has
   * @param loss mean negative log likelihood of the last batch
   */
  void batch(int epoch, int epochs, long done, long total, double loss);

  /** An epoch is over. */
  void epoch(EpochReport report);

  /** Asked before every batch; true ends the run with {@link TrainingStopped}. */
  boolean stopRequested();
}
