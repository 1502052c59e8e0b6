package io.remuda.bench;

import io.remuda.worker.workload.mnist.EpochReport;
import io.remuda.worker.workload.mnist.MnistSettings;
import io.remuda.worker.workload.mnist.MnistTraining;
import io.remuda.worker.workload.mnist.NativeLibraries;
import io.remuda.worker.workload.mnist.TrainingListener;
import io.remuda.worker.workload.mnist.data.DataRequest;
import io.remuda.worker.workload.mnist.data.LocatedData;
import io.remuda.worker.workload.mnist.data.MnistDataLocator;
import io.remuda.worker.workload.mnist.data.MnistImages;
import java.nio.file.Path;
import java.util.Locale;

/**
 * Trains and tests once on the first training images and all test images, after a short warm-up
 * run, and prints the result; {@code peers/mnist_peer.py} runs the equivalent with PyTorch.
 */
public final class MnistPass {

  private static final double LEARNING_RATE = 0.5;
  private static final int BATCH = 64;
  private static final int TEST_BATCH = 1000;

  private MnistPass() {}

  /**
   * Runs the pass; arguments: data folder or empty for the cached data, cache folder, threads,
   * images, warm-up images.
   */
  public static void main(String[] arguments) throws Exception {
    Path data = arguments[0].isEmpty() ? null : Path.of(arguments[0]);
    Path cache = Path.of(arguments[1]);
    int threads = Integer.parseInt(arguments[2]);
    boolean genuine = data == null; // the specified folder may hold drawn digits
    LocatedData located =
        MnistDataLocator.locate(
            new DataRequest(data, cache, genuine, 1), text -> System.err.println(text));
    System.out.println("origin\t" + located.origin() + "\t" + located.folder());
    MnistImages images = MnistImages.load(located);
    NativeLibraries.prepare(cache);
    int warmUp = Integer.parseInt(arguments[4]);
    train(threads, new MnistImages(images.train().first(warmUp), images.test().first(TEST_BATCH)));
    EpochReport report =
        train(
            threads,
            new MnistImages(images.train().first(Integer.parseInt(arguments[3])), images.test()));
    System.out.printf(
        Locale.ROOT,
        "pass\t%.4f\t%.6f\t%.2f%n",
        report.seconds(),
        report.trainLoss(),
        report.accuracy());
    System.exit(0);
  }

  private static EpochReport train(int threads, MnistImages images) {
    MnistSettings settings =
        new MnistSettings(LEARNING_RATE, 1, BATCH, TEST_BATCH, 0.7, 1, false, threads);
    Last last = new Last();
    MnistTraining.train(settings, images, last);
    return last.report;
  }

  /** Keeps the last epoch's report. */
  private static final class Last implements TrainingListener {
    private EpochReport report;

    @Override
    public void device(String text) {}

    @Override
    public void batch(int epoch, int epochs, long done, long total, double loss) {}

    @Override
    public void epoch(EpochReport done) {
      report = done;
    }

    @Override
    public boolean stopRequested() {
      return false;
    }
  }
}
