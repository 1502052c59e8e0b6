package io.remuda.worker.workload.mnist;

import java.util.ArrayList;
import java.util.List;

/** Remembers what it was told, and asks for a stop after some batches. */
class RecordingListener implements TrainingListener {

  final List<String> devices = new ArrayList<>();
  final List<Long> done = new ArrayList<>();
  final List<Double> losses = new ArrayList<>();
  final List<EpochReport> epochs = new ArrayList<>();

  final List<EpochReport> resumed = new ArrayList<>();
  final List<String> troubles = new ArrayList<>();

  /** How many batches may begin. */
  int stopAfter = Integer.MAX_VALUE;

  int asked;

  @Override
  public void device(String text) {
    devices.add(text);
  }

  @Override
  public void batch(int epoch, int ofEpochs, long images, long total, double loss) {
    done.add(images);
    losses.add(loss);
  }

  @Override
  public void resumed(List<EpochReport> done) {
    resumed.addAll(done);
  }

  @Override
  public void snapshotTrouble(String text) {
    troubles.add(text);
  }

  @Override
  public void epoch(EpochReport report) {
    epochs.add(report);
  }

  @Override
  public boolean stopRequested() {
    return asked++ >= stopAfter;
  }
}
