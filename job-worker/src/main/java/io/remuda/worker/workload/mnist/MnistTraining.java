package io.remuda.worker.workload.mnist;

import io.remuda.worker.cuda.CudaLibraries;
import io.remuda.worker.workload.mnist.ImageBatcher.Batch;
import io.remuda.worker.workload.mnist.data.MnistImages;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Device;
import org.bytedeco.pytorch.LongOptional;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptional;
import org.bytedeco.pytorch.global.torch;

/**
 * PyTorch's MNIST example: trains {@link MnistNet} with {@link Adadelta}. After each epoch it tests
 * the network and multiplies the learning rate by gamma. As in the example, images keep their
 * stored order on the CPU, and training and test images are both shuffled with CUDA.
 *
 * <p>The random generator and the thread count belong to the process: only one run at a time, and
 * {@link NativeLibraries#prepare} before the first. Every step has its own pointer scope, without
 * which each step would leak about 33 MB. libtorch errors arrive as RuntimeException.
 */
public final class MnistTraining {

  private static final long BATCH_REPORTS_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** A label that nll_loss ignores; libtorch's default. */
  private static final long NO_LABEL = -100;

  private final Device device;
  private final MnistSettings settings;
  private final TrainingListener listener;
  private final MnistNet net;
  private final Adadelta optimiser;
  private final StepLr schedule;
  private final ImageBatcher train;
  private final ImageBatcher test;

  /**
   * The sum of the losses of this epoch's images; on the device, and read only at the end of the
   * epoch.
   */
  private final Tensor lossSum;

  private boolean anyBatchReported;
  private long lastBatchReport;

  private MnistTraining(
      MnistSettings settings, MnistImages images, TrainingListener listener, Device device) {
    this.device = device;
    this.settings = settings;
    this.listener = listener;
    ImageBatcher.Order order =
        device.is_cuda() ? ImageBatcher.Order.SHUFFLED : ImageBatcher.Order.AS_STORED;
    train = new ImageBatcher(images.train(), settings.batchSize(), order, device);
    test = new ImageBatcher(images.test(), settings.testBatchSize(), order, device);
    net = new MnistNet();
    net.to(device, false);
    optimiser = new Adadelta(net.parameters(), settings.learningRate());
    schedule = new StepLr(optimiser, settings.gamma());
    lossSum = torch.zeros(1).to(device, torch.ScalarType.Double);
  }

  /**
   * Trains and tests; blocks until the last epoch has ended.
   *
   * @throws TrainingStoppedException when the listener requests a stop
   */
  @SuppressWarnings("try") // the scope takes effect while open
  public static MnistResult train(
      MnistSettings settings, MnistImages images, TrainingListener listener) {
    try (PointerScope run = new PointerScope()) {
      MnistTraining training = seeded(settings, images, listener);
      List<EpochReport> reports = new ArrayList<>();
      while (reports.size() < settings.epochs()) {
        reports.add(training.nextEpoch(reports.size() + 1));
        training.report(reports);
      }
      return training.result(reports);
    }
  }

  /**
   * Trains with a snapshot after each epoch and continues from the newest whole one in the folder;
   * blocks until the last epoch or a stop. On equal hardware, threads and build, the CPU gives bit
   * by bit the numbers of a training that was never interrupted. If a snapshot cannot be written,
   * the listener is told, and the training continues and does not stop at that epoch.
   *
   * @param stop looked at after each epoch but the last
   * @return the result, or after which epoch the training stopped
   * @throws SnapshotRefusedException if the folder's newest snapshot is not of this training
   * @throws IOException if a snapshot cannot be read
   * @throws TrainingStoppedException when the listener requests a stop; the epoch's work is lost
   */
  @SuppressWarnings("try") // the scope takes effect while open
  public static TrainingOutcome train(
      MnistSettings settings,
      MnistImages images,
      TrainingListener listener,
      SnapshotFolder folder,
      StopRequest stop)
      throws IOException, SnapshotRefusedException {
    try (PointerScope run = new PointerScope()) {
      MnistTraining training = seeded(settings, images, listener);
      return training.resume(training.snapshots(folder, stop, images));
    }
  }

  private static MnistTraining seeded(
      MnistSettings settings, MnistImages images, TrainingListener listener) {
    torch.set_num_threads(settings.threads());
    Device device = choose(settings, listener);
    torch.manual_seed(settings.seed());
    return new MnistTraining(settings, images, listener, device);
  }

  private static Device choose(MnistSettings settings, TrainingListener listener) {
    if (settings.cuda() && torch.cuda_is_available()) {
      listener.device("training on CUDA" + libraries());
      return new Device("cuda:0");
    }
    listener.device("training on CPU" + (settings.cuda() ? ": " + whyNoCuda() : ""));
    return new Device("cpu");
  }

  private static String libraries() {
    String found = System.getenv(CudaLibraries.FOUND);
    return found == null ? "" : " with " + found;
  }

  private static String whyNoCuda() {
    String none = System.getenv(CudaLibraries.NONE);
    if (none != null) {
      return none;
    }
    return torch.hasCUDA() ? "libtorch finds no CUDA device" : "this build of libtorch has no CUDA";
  }

  private EpochSnapshots snapshots(SnapshotFolder folder, StopRequest stop, MnistImages images) {
    TrainingState state = new TrainingState(optimiser, device);
    return new EpochSnapshots(folder, stop, settings, images, circumstances(), state, listener);
  }

  /** Returns what can change the last bits of the numbers; the model of a GPU is not in it. */
  private Map<String, String> circumstances() {
    String cpu = "CPU " + torch.get_cpu_capability().getString();
    return Map.of(
        "device", device.is_cuda() ? "CUDA" : cpu,
        "libtorch", NativeLibraries.build(),
        "threads", Integer.toString(settings.threads()));
  }

  private TrainingOutcome resume(EpochSnapshots snapshots)
      throws IOException, SnapshotRefusedException {
    List<EpochReport> reports = new ArrayList<>(snapshots.resume());
    while (reports.size() < settings.epochs()) {
      reports.add(nextEpoch(reports.size() + 1));
      boolean stop = snapshots.saveAndAskForStop(reports);
      report(reports);
      if (stop) {
        return new StoppedTrainingOutcome(reports.size(), settings.epochs());
      }
    }
    return result(reports);
  }

  private void report(List<EpochReport> reports) {
    listener.epoch(reports.get(reports.size() - 1));
  }

  private MnistResult result(List<EpochReport> reports) {
    EpochReport last = reports.get(reports.size() - 1);
    return new MnistResult(settings.learningRate(), last.testLoss(), last.accuracy());
  }

  /** Trains and tests once, and sets the learning rate of the epoch after it. */
  private EpochReport nextEpoch(int epoch) {
    EpochReport report = epoch(epoch);
    schedule.step();
    return report;
  }

  private EpochReport epoch(int epoch) {
    long began = System.nanoTime();
    double trainLoss = trainEpoch(epoch);
    Score score = test(epoch);
    double seconds = (System.nanoTime() - began) / 1e9;
    return new EpochReport(
        epoch, settings.epochs(), trainLoss, score.loss(), score.accuracy(), seconds);
  }

  /** Trains on every image once and returns the mean loss. */
  @SuppressWarnings("try") // the scope takes effect while open
  private double trainEpoch(int epoch) {
    net.train(true);
    train.start();
    lossSum.zero_();
    for (int number = 0; number < train.batches(); number++) {
      stopIfAsked(epoch);
      try (PointerScope step = new PointerScope()) {
        Batch batch = train.batch(number);
        Tensor loss = trainBatch(batch);
        report(epoch, number * settings.batchSize() + batch.size(), loss);
      }
    }
    return lossSum.item_double() / train.count();
  }

  private Tensor trainBatch(Batch batch) {
    net.zero_grad(true);
    Tensor loss = torch.nll_loss(net.forward(batch.images()), batch.labels());
    loss.backward();
    optimiser.step();
    lossSum.add_(loss.detach(), new Scalar((double) batch.size()));
    return loss;
  }

  /**
   * Reports a batch at most once per second. Reading the loss waits for the device, so it is read
   * only for a report.
   */
  private void report(int epoch, int images, Tensor loss) {
    long now = System.nanoTime();
    if (anyBatchReported && now - lastBatchReport < BATCH_REPORTS_NANOS) {
      return;
    }
    anyBatchReported = true;
    lastBatchReport = now;
    listener.batch(epoch, settings.epochs(), images, train.count(), loss.item_double());
  }

  private record Score(double loss, double accuracy) {}

  @SuppressWarnings("try") // scope and guard take effect while open
  private Score test(int epoch) {
    net.eval();
    test.start();
    double loss = 0;
    long correct = 0;
    try (NoGradGuard noGrad = new NoGradGuard()) {
      for (int number = 0; number < test.batches(); number++) {
        stopIfAsked(epoch);
        try (PointerScope step = new PointerScope()) {
          Batch batch = test.batch(number);
          Tensor output = net.forward(batch.images());
          loss += lossSum(output, batch.labels());
          correct += correct(output, batch.labels());
        }
      }
    }
    return new Score(loss / test.count(), 100.0 * correct / test.count());
  }

  private static double lossSum(Tensor output, Tensor labels) {
    return torch
        .nll_loss(output, labels, new TensorOptional(), torch.Reduction.Sum.value, NO_LABEL)
        .item_double();
  }

  private static long correct(Tensor output, Tensor labels) {
    return output.argmax(new LongOptional(1), false).eq(labels).sum().item_long();
  }

  private void stopIfAsked(int epoch) {
    if (listener.stopRequested()) {
      throw new TrainingStoppedException(epoch);
    }
  }

  /** Multiplies the learning rate by gamma after each epoch: PyTorch's StepLR with step 1. */
  static final class StepLr {

    private final Adadelta optimiser;
    private final double gamma;

    StepLr(Adadelta optimiser, double gamma) {
      this.optimiser = optimiser;
      this.gamma = gamma;
    }

    /** Updates the learning rate; called after each epoch. */
    void step() {
      optimiser.rate(optimiser.rate() * gamma);
    }
  }

  /** Thrown when a run ends early at its listener's request; there is no result. */
  static final class TrainingStoppedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    TrainingStoppedException(int epoch) {
      super("training was stopped in epoch " + epoch);
    }
  }
}
