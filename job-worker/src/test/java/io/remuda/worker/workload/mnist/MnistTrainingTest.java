package io.remuda.worker.workload.mnist;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.remuda.worker.workload.mnist.MnistTraining.TrainingStoppedException;
import io.remuda.worker.workload.mnist.data.GenuineMnist;
import io.remuda.worker.workload.mnist.data.MnistImages;
import java.util.List;
import org.bytedeco.pytorch.GradMode;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Ten steps at a time; the whole data set is the business of the ensemble's own tests. */
class MnistTrainingTest {

  private static final int BATCH = 32;

  private static MnistImages few;

  @BeforeAll
  static void load() throws Exception {
    TorchForTests.load();
    MnistImages all = TorchForTests.images();
    few = new MnistImages(all.train().first(10 * BATCH - BATCH / 2), all.test().first(200));
  }

  /** The numbers of src/test/python/mnist_reference.py --most 640 (torch 1.13 without MKL). */
  @Test
  void genuine_mnist_gives_the_numbers_of_python() throws Exception {
    assumeTrue(GenuineMnist.folder().isPresent(), GenuineMnist.ABSENT);
    MnistImages all = TorchForTests.images();
    MnistImages part = new MnistImages(all.train().first(640), all.test().first(640));
    RecordingListener listener = new RecordingListener();
    MnistSettings asPython = new MnistSettings(0.5, 1, 64, 1000, 0.7, 1, false, 1);
    MnistResult result = MnistTraining.train(asPython, part, listener);
    assertEquals(2.329474, listener.losses.get(0), 1e-4);
    assertEquals(1.926363, listener.epochs.get(0).trainLoss(), 1e-3);
    assertEquals(1.492619, result.testLoss(), 1e-2);
  }

  @Test
  void the_loss_falls_within_ten_steps() {
    RecordingListener listener = new RecordingListener();
    MnistResult result = MnistTraining.train(settings(0.5), few, listener);
    assertTrue(listener.losses.get(0) > 2.0, "first loss " + listener.losses.get(0));
    assertTrue(result.testLoss() < 2.0, "test loss " + result.testLoss());
    assertTrue(result.accuracy() > 40 && result.accuracy() <= 100, result.toString());
  }

  @Test
  void the_same_seed_gives_the_same_numbers_and_another_does_not() {
    MnistResult first = MnistTraining.train(settings(0.5), few, new RecordingListener());
    assertEquals(first, MnistTraining.train(settings(0.5), few, new RecordingListener()));
    MnistSettings seeded = new MnistSettings(0.5, 1, BATCH, 1000, 0.7, 2, false, 1);
    MnistResult other = MnistTraining.train(seeded, few, new RecordingListener());
    assertNotEquals(first.testLoss(), other.testLoss());
  }

  @Test
  void another_learning_rate_gives_other_numbers_and_is_named_in_the_result() {
    MnistResult slow = MnistTraining.train(settings(0.5), few, new RecordingListener());
    MnistResult fast = MnistTraining.train(settings(1.5), few, new RecordingListener());
    assertNotEquals(slow.testLoss(), fast.testLoss());
    assertEquals(1.5, fast.learningRate());
  }

  @Test
  void the_result_is_that_of_the_last_epoch() {
    RecordingListener listener = new RecordingListener();
    MnistSettings twice = new MnistSettings(0.5, 2, BATCH, 1000, 0.7, 1, false, 1);
    MnistResult result = MnistTraining.train(twice, few, listener);
    assertEquals(List.of(1, 2), listener.epochs.stream().map(EpochReport::epoch).toList());
    assertEquals(listener.epochs.get(1).testLoss(), result.testLoss());
    assertNotEquals(listener.epochs.get(0).testLoss(), result.testLoss());
  }

  @Test
  void a_gamma_of_almost_zero_leaves_nothing_to_learn_in_the_second_epoch() {
    RecordingListener listener = new RecordingListener();
    MnistSettings frozen = new MnistSettings(0.5, 2, BATCH, 1000, 1e-9, 1, false, 1);
    MnistTraining.train(frozen, few, listener);
    assertEquals(listener.epochs.get(0).testLoss(), listener.epochs.get(1).testLoss(), 1e-6);
  }

  @Test
  void a_run_without_cuda_says_why_once() {
    RecordingListener asked = new RecordingListener();
    MnistSettings settings = new MnistSettings(0.5, 1, BATCH, 1000, 0.7, 1, true, 1);
    asked.stopAfter = 0;
    assertThrows(TrainingStoppedException.class, () -> MnistTraining.train(settings, few, asked));
    assertEquals(1, asked.devices.size());
    assertTrue(asked.devices.get(0).startsWith("training on "), asked.devices.get(0));
  }

  @Test
  void a_stop_ends_the_run_before_the_next_batch_and_leaves_no_trace() {
    RecordingListener listener = new RecordingListener();
    listener.stopAfter = 3;
    assertThrows(
        TrainingStoppedException.class, () -> MnistTraining.train(settings(0.5), few, listener));
    assertEquals(4, listener.asked);
    assertEquals(List.of(), listener.epochs);
    assertTrue(GradMode.is_enabled());
  }

  @Test
  void a_stop_in_the_test_gives_gradients_back_to_the_thread() {
    RecordingListener listener = new RecordingListener();
    listener.stopAfter = 10;
    assertThrows(
        TrainingStoppedException.class, () -> MnistTraining.train(settings(0.5), few, listener));
    assertTrue(GradMode.is_enabled());
  }

  @Test
  void batches_are_reported_first_and_then_at_most_once_a_second() {
    RecordingListener listener = new RecordingListener();
    long began = System.nanoTime();
    MnistTraining.train(settings(0.5), few, listener);
    double seconds = (System.nanoTime() - began) / 1e9;
    assertEquals(BATCH, listener.done.get(0));
    assertTrue(listener.done.size() <= 1 + seconds, listener.done + " in " + seconds + " s");
  }

  private static MnistSettings settings(double learningRate) {
    return new MnistSettings(learningRate, 1, BATCH, 1000, 0.7, 1, false, 1);
  }
}
