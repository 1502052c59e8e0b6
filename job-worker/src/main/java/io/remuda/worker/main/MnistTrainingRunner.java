package io.remuda.worker.main;

import io.remuda.worker.job.MnistWorkload;
import io.remuda.worker.job.WorkerOrder;
import io.remuda.worker.protocol.WorkerEvent;
import io.remuda.worker.workload.mnist.EpochReport;
import io.remuda.worker.workload.mnist.MnistResult;
import io.remuda.worker.workload.mnist.MnistSettings;
import io.remuda.worker.workload.mnist.MnistTraining;
import io.remuda.worker.workload.mnist.NativeLibraries;
import io.remuda.worker.workload.mnist.SnapshotFolder;
import io.remuda.worker.workload.mnist.SnapshotRefusedException;
import io.remuda.worker.workload.mnist.StopRequest;
import io.remuda.worker.workload.mnist.StoppedTrainingOutcome;
import io.remuda.worker.workload.mnist.TrainingListener;
import io.remuda.worker.workload.mnist.TrainingOutcome;
import io.remuda.worker.workload.mnist.data.DataException;
import io.remuda.worker.workload.mnist.data.DataRequest;
import io.remuda.worker.workload.mnist.data.MnistDataLocator;
import io.remuda.worker.workload.mnist.data.MnistImages;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/** Runs one training: locates the data, prepares libtorch, reports each epoch and the result. */
final class MnistTrainingRunner {

  private MnistTrainingRunner() {}

  static WorkerEvent train(
      WorkerOrder order,
      MnistWorkload workload,
      StopRequest stop,
      Consumer<WorkerEvent> tell,
      WorkerMain.Progress progress)
      throws IOException, DataException, SnapshotRefusedException {
    Path cache = Path.of(order.cacheFolder());
    progress.at(0, 0, "loading");
    MnistImages images = images(workload, cache, text -> tell.accept(new WorkerEvent.Said(text)));
    NativeLibraries.prepare(cache);
    MnistSettings settings = settings(order, workload);
    TrainingListener listener = listener(tell, progress, workload.epochs());
    if (order.snapshotFolder() == null) {
      return event(MnistTraining.train(settings, images, listener));
    }
    SnapshotFolder folder = SnapshotFolder.open(Path.of(order.snapshotFolder()));
    return event(MnistTraining.train(settings, images, listener, folder, stop));
  }

  private static WorkerEvent event(TrainingOutcome outcome) {
    if (outcome instanceof StoppedTrainingOutcome stopped) {
      return new WorkerEvent.Stopped(stopped.epoch(), stopped.epochs());
    }
    MnistResult result = (MnistResult) outcome;
    return new WorkerEvent.Trained(result.learningRate(), result.testLoss(), result.accuracy());
  }

  private static MnistImages images(MnistWorkload workload, Path cache, Consumer<String> says)
      throws IOException, DataException {
    Path given = workload.dataFolder() == null ? null : Path.of(workload.dataFolder());
    DataRequest request = new DataRequest(given, cache, workload.verifyData(), workload.seed());
    return MnistImages.load(MnistDataLocator.locate(request, says));
  }

  private static MnistSettings settings(WorkerOrder order, MnistWorkload workload) {
    return new MnistSettings(
        workload.learningRate(),
        workload.epochs(),
        workload.batchSize(),
        workload.testBatchSize(),
        workload.gamma(),
        workload.seed(),
        order.cuda(),
        order.threads());
  }

  private static TrainingListener listener(
      Consumer<WorkerEvent> tell, WorkerMain.Progress progress, int epochs) {
    return new TrainingListener() {
      @Override
      public void device(String text) {
        tell.accept(new WorkerEvent.Said(text));
      }

      @Override
      public void batch(int epoch, int epochs, long done, long total, double loss) {
        progress.at(
            done, total, String.format(Locale.ROOT, "epoch %d/%d loss %.4f", epoch, epochs, loss));
      }

      @Override
      public void resumed(List<EpochReport> done) {
        String text = "continues after epoch " + done.size() + " of " + epochs;
        tell.accept(new WorkerEvent.Said(text));
      }

      @Override
      public void snapshotTrouble(String text) {
        tell.accept(new WorkerEvent.Said(text));
      }

      @Override
      public void epoch(EpochReport report) {
        tell.accept(
            new WorkerEvent.EpochDone(
                report.epoch(),
                report.epochs(),
                report.trainLoss(),
                report.testLoss(),
                report.accuracy(),
                report.seconds()));
      }

      @Override
      public boolean stopRequested() {
        return false;
      }
    };
  }
}
