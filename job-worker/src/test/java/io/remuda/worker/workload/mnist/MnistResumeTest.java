package io.remuda.worker.workload.mnist;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.worker.workload.mnist.MnistTraining.TrainingStoppedException;
import io.remuda.worker.workload.mnist.data.MnistImages;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Epochs of three steps; the numbers depend on weights, optimiser, schedule and generator. */
class MnistResumeTest {

  private static final int BATCH = 8;
  private static final int EPOCHS = 4;
  private static final int BATCHES_OF_AN_EPOCH = 4;

  private static MnistImages few;

  @TempDir Path temp;

  @BeforeAll
  static void load() throws Exception {
    TorchForTests.load();
    MnistImages all = TorchForTests.images();
    few = new MnistImages(all.train().first(3 * BATCH - 5), all.test().first(20));
  }

  @Test
  void snapshots_change_no_number() throws Exception {
    RecordingListener without = new RecordingListener();
    MnistTraining.train(settings(EPOCHS), few, without);
    assertEquals(numbers(without.epochs), numbers(undisturbed(EPOCHS).reports()));
  }

  @Test
  void a_training_resumed_after_any_epoch_equals_an_undisturbed_one_bit_by_bit() throws Exception {
    TrainingSnapshot wanted = undisturbed(EPOCHS);
    for (int done = 1; done < EPOCHS; done++) {
      Path folder = temp.resolve("stopped-" + done);
      TrainingOutcome first = train(EPOCHS, folder, new RecordingListener(), after(done));
      assertEquals(new StoppedTrainingOutcome(done, EPOCHS), first);
      RecordingListener second = new RecordingListener();
      train(EPOCHS, folder, second, StopRequest.NEVER);
      assertEqualBitByBit(wanted, newest(folder));
      assertEquals(done, second.resumed.size());
      List<Integer> rest = IntStream.rangeClosed(done + 1, EPOCHS).boxed().toList();
      assertEquals(rest, second.epochs.stream().map(EpochReport::epoch).toList());
    }
  }

  /** Breaks off within an epoch or stops after one, each time at a random point. */
  @Test
  void a_training_interrupted_five_times_equals_an_undisturbed_one_bit_by_bit() throws Exception {
    long seed = System.nanoTime();
    System.out.println("interruptions by seed " + seed);
    Random random = new Random(seed);
    int epochs = 9;
    Path folder = temp.resolve("interrupted");
    for (int round = 0; round < 5; round++) {
      RecordingListener listener = new RecordingListener();
      if (random.nextBoolean()) {
        listener.stopAfter = random.nextInt(2 * BATCHES_OF_AN_EPOCH);
        assertThrows(
            TrainingStoppedException.class,
            () -> train(epochs, folder, listener, StopRequest.NEVER),
            "seed " + seed);
      } else {
        train(epochs, folder, listener, after(1 + random.nextInt(2)));
      }
    }
    train(epochs, folder, new RecordingListener(), StopRequest.NEVER);
    assertEqualBitByBit(undisturbed(epochs), newest(folder));
  }

  @Test
  void a_training_goes_on_from_the_snapshot_before_a_damaged_one_to_equal_bits() throws Exception {
    Path folder = temp.resolve("damaged");
    train(EPOCHS, folder, new RecordingListener(), after(3));
    Path last = folder.resolve("epoch-000003.snapshot");
    byte[] bytes = Files.readAllBytes(last);
    bytes[1_000_000] ^= 1;
    Files.write(last, bytes);
    RecordingListener listener = new RecordingListener();
    train(EPOCHS, folder, listener, StopRequest.NEVER);
    assertEquals(2, listener.resumed.size());
    assertTrue(listener.troubles.get(0).contains("epoch-000003.snapshot is damaged"));
    assertEqualBitByBit(undisturbed(EPOCHS), newest(folder));
  }

  @Test
  void a_finished_training_gives_its_result_without_another_epoch() throws Exception {
    Path folder = temp.resolve("finished");
    TrainingOutcome first = train(2, folder, new RecordingListener(), StopRequest.NEVER);
    RecordingListener again = new RecordingListener();
    assertEquals(first, train(2, folder, again, StopRequest.NEVER));
    assertEquals(List.of(), again.epochs);
    assertEquals(0, again.asked);
  }

  @Test
  void a_stop_is_looked_for_after_each_epoch_but_never_after_the_last() throws Exception {
    List<Integer> asked = new ArrayList<>();
    RecordingListener listener = new RecordingListener();
    TrainingOutcome outcome =
        train(3, temp.resolve("asked"), listener, () -> !asked.add(listener.epochs.size() + 1));
    assertInstanceOf(MnistResult.class, outcome);
    assertEquals(List.of(1, 2), asked);
  }

  @Test
  void a_stop_in_the_last_epoch_comes_too_late() throws Exception {
    assertInstanceOf(
        MnistResult.class, train(1, temp.resolve("last"), new RecordingListener(), () -> true));
  }

  @Test
  void a_stopped_training_says_after_which_epoch() {
    assertEquals("stopped after epoch 3 of 20", new StoppedTrainingOutcome(3, 20).text());
  }

  @Test
  void an_epoch_is_reported_once_its_snapshot_is_there() throws Exception {
    Path folder = temp.resolve("reported");
    List<Boolean> there = new ArrayList<>();
    RecordingListener listener =
        new RecordingListener() {
          @Override
          public void epoch(EpochReport report) {
            there.add(Files.exists(folder.resolve("epoch-00000" + report.epoch() + ".snapshot")));
          }
        };
    train(2, folder, listener, StopRequest.NEVER);
    assertEquals(List.of(true, true), there);
  }

  @Test
  void without_a_durable_snapshot_the_training_says_so_and_does_not_stop() throws Exception {
    Path folder = temp.resolve("gone");
    SnapshotFolder open = SnapshotFolder.open(folder);
    RecordingListener listener =
        new RecordingListener() {
          @Override
          public void batch(int epoch, int ofEpochs, long images, long total, double loss) {
            deleteIfThere(folder);
          }
        };
    TrainingOutcome outcome = MnistTraining.train(settings(2), few, listener, open, () -> true);
    assertInstanceOf(MnistResult.class, outcome);
    assertEquals(2, listener.troubles.size());
    assertTrue(
        listener.troubles.get(0).startsWith("no snapshot after epoch 1: "),
        listener.troubles.toString());
  }

  @Test
  void a_snapshot_of_another_seed_is_refused_with_both_values() throws Exception {
    Path folder = temp.resolve("other-seed");
    train(2, folder, new RecordingListener(), after(1));
    MnistSettings other = new MnistSettings(0.5, 2, BATCH, 1000, 0.7, 2, false, 1);
    assertRefused("seed is 1 in the snapshot and 2 in this training", other, few, folder);
  }

  @Test
  void every_other_setting_and_other_images_are_refused_with_both_values() throws Exception {
    Path folder = temp.resolve("others");
    train(2, folder, new RecordingListener(), after(1));
    assertRefused(
        "learningRate is 0.5 in the snapshot and 0.6 in this training",
        new MnistSettings(0.6, 2, BATCH, 1000, 0.7, 1, false, 1),
        few,
        folder);
    assertRefused(
        "batchSize is 8 in the snapshot and 4 in this training",
        new MnistSettings(0.5, 2, 4, 1000, 0.7, 1, false, 1),
        few,
        folder);
    assertRefused(
        "testBatchSize is 1000 in the snapshot and 5 in this training",
        new MnistSettings(0.5, 2, BATCH, 5, 0.7, 1, false, 1),
        few,
        folder);
    assertRefused(
        "gamma is 0.7 in the snapshot and 0.8 in this training",
        new MnistSettings(0.5, 2, BATCH, 1000, 0.8, 1, false, 1),
        few,
        folder);
    assertRefused(
        "training images is 19 of CRC32C",
        settings(2),
        new MnistImages(few.train().first(18), few.test()),
        folder);
  }

  @Test
  void a_snapshot_with_more_epochs_than_the_training_is_refused() throws Exception {
    Path folder = temp.resolve("longer");
    train(3, folder, new RecordingListener(), after(2));
    assertRefused("it has 2 epochs, this training only 1", settings(1), few, folder);
  }

  @Test
  void another_number_of_threads_is_no_refusal_but_is_said() throws Exception {
    Path folder = temp.resolve("threads");
    train(2, folder, new RecordingListener(), after(1));
    RecordingListener listener = new RecordingListener();
    MnistSettings two = new MnistSettings(0.5, 2, BATCH, 1000, 0.7, 1, false, 2);
    MnistTraining.train(two, few, listener, SnapshotFolder.open(folder), StopRequest.NEVER);
    assertEquals(
        List.of(
            "the numbers can differ from those of an undisturbed training:"
                + " threads is 1 in the snapshot and 2 in this training"),
        listener.troubles);
  }

  private static void assertRefused(
      String why, MnistSettings settings, MnistImages images, Path folder) {
    RecordingListener listener = new RecordingListener();
    SnapshotRefusedException refusal =
        assertThrows(
            SnapshotRefusedException.class,
            () ->
                MnistTraining.train(
                    settings, images, listener, SnapshotFolder.open(folder), StopRequest.NEVER));
    assertTrue(refusal.getMessage().contains(why), refusal.getMessage());
    assertTrue(refusal.getMessage().contains("epoch-00000"), refusal.getMessage());
    assertEquals(List.of(), listener.epochs);
  }

  private static void deleteIfThere(Path folder) {
    try {
      Files.deleteIfExists(folder);
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  private static MnistSettings settings(int epochs) {
    return new MnistSettings(0.5, epochs, BATCH, 1000, 0.7, 1, false, 1);
  }

  /** A request that is made while the training does its n-th epoch of this process. */
  private static StopRequest after(int epochs) {
    int[] asked = {0};
    return () -> ++asked[0] >= epochs;
  }

  private static TrainingOutcome train(
      int epochs, Path folder, TrainingListener listener, StopRequest stop)
      throws IOException, SnapshotRefusedException {
    return MnistTraining.train(settings(epochs), few, listener, SnapshotFolder.open(folder), stop);
  }

  private TrainingSnapshot undisturbed(int epochs) throws Exception {
    Path folder = temp.resolve("undisturbed");
    train(epochs, folder, new RecordingListener(), StopRequest.NEVER);
    return newest(folder);
  }

  private static TrainingSnapshot newest(Path folder) throws Exception {
    return SnapshotFolder.open(folder).newest(System.out::println).orElseThrow().snapshot();
  }

  private static void assertEqualBitByBit(TrainingSnapshot wanted, TrainingSnapshot found) {
    assertEquals(wanted.states().keySet(), found.states().keySet());
    wanted
        .states()
        .forEach((name, bytes) -> assertArrayEquals(bytes, found.states().get(name), name));
    assertEquals(wanted.rate(), found.rate());
    assertEquals(numbers(wanted.reports()), numbers(found.reports()));
  }

  /** Everything of the reports but the seconds. */
  private static List<List<Number>> numbers(List<EpochReport> reports) {
    return reports.stream()
        .map(r -> List.<Number>of(r.epoch(), r.trainLoss(), r.testLoss(), r.accuracy()))
        .toList();
  }
}
