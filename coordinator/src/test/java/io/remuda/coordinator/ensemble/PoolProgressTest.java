package io.remuda.coordinator.ensemble;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.agent.protocol.TaskReport.TaskProgress;
import io.remuda.coordinator.console.BarSource;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.telemetry.render.LabelledBar;
import io.remuda.worker.protocol.WorkerEvent;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Trainings of 2 epochs each, and 4 images. */
class PoolProgressTest {
  private static final int PLENTY = 100;
  private static final int TRAININGS = 3;

  private final PoolProgress work = new PoolProgress(TestSettings.run(TRAININGS, 2, 1));

  private static LabelledBar bar(
      String label, double value, double total, String amount, String more) {
    return new LabelledBar(LabelledBar.Kind.PROGRESS, label, value, total, amount, more);
  }

  private LabelledBar first() {
    return work.picture().within(PLENTY).get(0);
  }

  private void runs(int... trainings) {
    IntStream.of(trainings)
        .forEach(
            training -> {
              work.moved(training, TaskState.STARTING);
              work.moved(training, TaskState.RUNNING);
            });
  }

  private void epoch(int training, int number) {
    work.epoch(training, new WorkerEvent.EpochDone(number, 2, 0.1, 0.05678, 98.123, 2.5));
  }

  private void batch(int training, long done, String phase) {
    work.at(training, new TaskProgress(done, 60_000, phase));
  }

  @Test
  void at_first_every_training_waits_and_no_image_is_done() {
    assertEquals(
        List.of(
            bar("learning rate 0.5", 0, 2, "0/2", "waiting"),
            bar("learning rate 1.0", 0, 2, "0/2", "waiting"),
            bar("learning rate 1.5", 0, 2, "0/2", "waiting"),
            bar("images", 0, 4, "0/4", "")),
        work.picture().within(PLENTY));
  }

  @Test
  void a_training_moves_on_within_its_epoch_and_by_whole_epochs() {
    runs(0);
    batch(0, 15_000, "epoch 1/2 loss 0.5000");
    assertEquals(bar("learning rate 0.5", 0.25, 2, "0/2", "epoch 1/2 loss 0.5000"), first());
    epoch(0, 1);
    assertEquals(bar("learning rate 0.5", 1, 2, "1/2", "loss 0.0568, 98.12 %"), first());
    batch(0, 30_000, "epoch 2/2 loss 0.2500");
    assertEquals(bar("learning rate 0.5", 1.5, 2, "1/2", "epoch 2/2 loss 0.2500"), first());
    epoch(0, 2);
    work.moved(0, TaskState.SUCCEEDED);
    assertEquals(bar("learning rate 0.5", 2, 2, "2/2", "loss 0.0568, 98.12 %"), first());
  }

  @Test
  void a_training_with_a_result_is_a_full_bar_whatever_was_heard_of_its_epochs() {
    runs(0);
    epoch(0, 1);
    work.moved(0, TaskState.SUCCEEDED);
    assertEquals(bar("learning rate 0.5", 2, 2, "2/2", "loss 0.0568, 98.12 %"), first());
  }

  @Test
  void what_is_still_said_of_an_epoch_that_is_over_does_not_count_for_the_next() {
    runs(0);
    epoch(0, 1);
    batch(0, 60_000, "epoch 1/2 loss 0.5000");
    assertEquals(bar("learning rate 0.5", 1, 2, "1/2", "loss 0.0568, 98.12 %"), first());
  }

  @Test
  void progress_without_a_known_total_changes_nothing() {
    runs(0);
    LabelledBar before = first();
    work.at(0, new TaskProgress(0, 0, "loading"));
    assertEquals(before, first());
  }

  @ParameterizedTest
  @EnumSource(value = TaskState.class, mode = EnumSource.Mode.EXCLUDE, names = "RUNNING")
  void progress_counts_only_while_the_training_runs(TaskState state) {
    runs(0);
    work.moved(0, state);
    LabelledBar before = first();
    batch(0, 30_000, "epoch 1/2 loss 0.5000");
    assertEquals(before, first());
  }

  @Test
  void a_training_that_runs_again_begins_anew() {
    runs(0);
    epoch(0, 1);
    work.moved(0, TaskState.WAITING);
    assertEquals(bar("learning rate 0.5", 0, 2, "0/2", "waiting"), first());
    work.moved(0, TaskState.STARTING);
    assertEquals(bar("learning rate 0.5", 0, 2, "0/2", "starting"), first());
  }

  @ParameterizedTest
  @EnumSource(
      value = TaskState.class,
      names = {"UNKNOWN", "ENDING"})
  void a_training_keeps_what_it_has_while_it_may_still_run(TaskState state) {
    runs(0);
    epoch(0, 1);
    LabelledBar before = first();
    work.moved(0, state);
    assertEquals(before, first());
  }

  @ParameterizedTest
  @EnumSource(
      value = TaskState.class,
      names = {"FAILED", "CANCELLED", "LOST"})
  void a_training_without_a_result_is_an_empty_bar_that_says_so(TaskState state) {
    runs(0);
    epoch(0, 1);
    work.moved(0, state);
    assertEquals(
        bar("learning rate 0.5", 0, 2, "0/2", state.name().toLowerCase(Locale.ROOT)), first());
  }

  @Test
  void images_are_counted() {
    work.imagesDone(3);
    assertEquals(bar("images", 3, 4, "3/4", ""), work.picture().within(PLENTY).get(TRAININGS));
  }

  @Test
  void where_lines_are_few_all_trainings_are_one_bar() {
    runs(0, 1);
    epoch(0, 1);
    epoch(0, 2);
    work.moved(0, TaskState.SUCCEEDED);
    batch(1, 30_000, "epoch 1/2 loss 0.5000");
    assertEquals(TRAININGS + 1, work.picture().within(TRAININGS + 1).size());
    List<LabelledBar> folded =
        List.of(
            bar("trainings", 1.25, 3, "1/3", "1 waiting, 1 running"),
            bar("images", 0, 4, "0/4", ""));
    assertEquals(folded, work.picture().within(TRAININGS));
    assertEquals(folded, work.picture().within(2));
    assertEquals(folded.subList(0, 1), work.picture().within(1));
  }

  @Test
  void a_picture_stays_as_it_was_taken() {
    BarSource before = work.picture();
    List<LabelledBar> bars = before.within(PLENTY);
    runs(0);
    epoch(0, 1);
    work.imagesDone(4);
    assertEquals(bars, before.within(PLENTY));
  }

  @Test
  void a_run_without_trainings_has_the_bar_of_the_images_alone() {
    PoolProgress nothing = new PoolProgress(TestSettings.run(0, 1, 1));
    assertEquals(List.of("images"), labels(nothing, 2));
    assertEquals(List.of("images"), labels(nothing, 1));
  }

  private static List<String> labels(PoolProgress progress, int lines) {
    return progress.picture().within(lines).stream().map(LabelledBar::label).toList();
  }

  @Test
  void what_is_no_training_of_the_run_is_ignored() {
    List<LabelledBar> before = work.picture().within(PLENTY);
    work.moved(TRAININGS, TaskState.RUNNING);
    epoch(TRAININGS, 1);
    batch(TRAININGS, 1, "epoch 1/2 loss 0.5000");
    assertEquals(before, work.picture().within(PLENTY));
  }
}
