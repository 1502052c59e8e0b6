package io.remuda.coordinator.schedule.gpus;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.worker.job.JobId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TrainingGpuAllocatorTest {

  private static final double RESTART = 0.5;
  private static final Map<Integer, Double> GOOD = Map.of(1, 1.0, 2, 1.9, 4, 3.6);
  private static final Map<Integer, Double> POOR = Map.of(1, 1.0, 2, 1.1, 4, 1.15);

  private static ElasticTraining training(
      long job, int now, int most, int epochsLeft, Map<Integer, Double> measured) {
    return new ElasticTraining(
        new JobId(job), 0, now, most, epochsLeft, new SpeedCurve(measured), RESTART, now > 0);
  }

  private static Map<Integer, Integer> divide(int gpus, ElasticTraining... trainings) {
    Map<Integer, Integer> counts = new TreeMap<>();
    TrainingGpuAllocator.divide(List.of(trainings), gpus, 8)
        .forEach((job, count) -> counts.put((int) job.value(), count));
    return counts;
  }

  @Test
  void each_training_gets_one_before_any_gets_two() {
    assertEquals(
        Map.of(1, 1, 2, 1, 3, 1),
        divide(
            3,
            training(1, 0, 4, 50, GOOD),
            training(2, 0, 4, 50, GOOD),
            training(3, 0, 4, 50, POOR)));
  }

  /** One beside it on a GPU spoils each measurement, and it changed after each epoch. */
  @Test
  void a_training_whose_speed_cannot_be_measured_does_not_try_fewer() {
    assertEquals(Map.of(1, 4), divide(4, training(1, 4, 4, 50, Map.of(1, 1.0))));
    assertEquals(Map.of(1, 2), divide(4, training(1, 4, 4, 50, Map.of(1, 1.0, 4, 3.6))));
  }

  @Test
  void with_too_few_gpus_the_running_and_the_oldest_go_on() {
    assertEquals(
        Map.of(1, 0, 2, 1, 3, 1, 4, 0),
        divide(
            2,
            training(1, 0, 4, 50, GOOD),
            training(2, 1, 4, 50, GOOD),
            training(3, 1, 4, 50, GOOD),
            training(4, 0, 4, 50, GOOD)));
  }

  @Test
  void if_others_need_all_gpus_each_running_training_keeps_one() {
    assertEquals(
        Map.of(1, 1, 2, 1, 3, 0),
        divide(
            0,
            training(1, 4, 4, 50, GOOD),
            training(2, 4, 4, 50, GOOD),
            training(3, 0, 4, 50, GOOD)));
  }

  @Test
  void more_go_to_the_training_that_gains_most() {
    assertEquals(
        Map.of(1, 4, 2, 1), divide(5, training(1, 0, 4, 50, GOOD), training(2, 0, 4, 50, POOR)));
  }

  @Test
  void none_gets_a_gpu_that_makes_it_hardly_faster() {
    assertEquals(Map.of(1, 2), divide(8, training(1, 0, 8, 50, Map.of(1, 1.0, 2, 1.8, 4, 1.1))));
  }

  @Test
  void a_training_has_no_more_than_its_most_and_than_a_node_has() {
    assertEquals(Map.of(1, 3), divide(8, training(1, 0, 3, 50, Map.of())));
    assertEquals(Map.of(1, 8), divide(32, training(1, 0, 32, 50, Map.of())));
  }

  @Test
  void the_gpus_of_a_running_training_are_taken_where_they_are_worth_least() {
    assertEquals(
        Map.of(1, 4, 2, 2, 3, 2),
        divide(
            8,
            training(1, 4, 4, 50, GOOD),
            training(2, 4, 4, 50, Map.of(1, 1.0, 2, 1.7, 4, 2.5)),
            training(3, 0, 2, 50, GOOD)));
  }

  @Test
  void a_training_that_ends_soon_keeps_what_it_has() {
    ElasticTraining nearlyDone = training(1, 4, 4, 2, Map.of(4, 2.0));
    assertEquals(Map.of(1, 4, 2, 0), divide(4, nearlyDone, training(2, 0, 4, 50, GOOD)));
  }

  @Test
  void a_training_grows_only_if_that_pays_within_the_rest_of_its_run() {
    assertEquals(Map.of(1, 4), divide(4, training(1, 2, 4, 20, GOOD)));
    assertEquals(Map.of(1, 2), divide(4, training(1, 2, 4, 3, GOOD)), "3 epochs save 0.7 s");
  }

  @Test
  void a_training_keeps_its_number_until_an_epoch_was_measured_with_it() {
    ElasticTraining fresh =
        new ElasticTraining(new JobId(1), 0, 1, 4, 50, new SpeedCurve(GOOD), RESTART, false);
    assertEquals(Map.of(1, 1), divide(4, fresh));
  }

  @Test
  void a_higher_priority_gets_its_gpu_first() {
    ElasticTraining urgent =
        new ElasticTraining(new JobId(9), 5, 0, 4, 50, new SpeedCurve(GOOD), RESTART, false);
    assertEquals(Map.of(1, 0, 9, 1), divide(1, training(1, 0, 4, 50, GOOD), urgent));
  }

  /** Plays a training alone on eight GPUs; returns its number of GPUs in each epoch. */
  private static List<Integer> played(int start, int most, int epochs, Map<Integer, Double> true_) {
    List<Integer> counts = new ArrayList<>();
    Map<Integer, Double> measured = new HashMap<>();
    int now = start;
    for (int epoch = 0; epoch < epochs; epoch++) {
      counts.add(now);
      measured.put(now, true_.get(now));
      ElasticTraining training = training(1, now, most, epochs - epoch - 1, measured);
      if (training.epochsLeft() > 1) {
        now = TrainingGpuAllocator.divide(List.of(training), 8, 8).get(new JobId(1));
      }
    }
    return counts;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void on_a_curve_with_its_peak_at_two_it_stays_at_two_after_four_epochs(int start) {
    Map<Integer, Double> curve = Map.of(1, 1.0, 2, 1.8, 4, 1.1);
    List<Integer> counts = played(start, 4, 40, curve);
    assertEquals(List.of(2), counts.subList(4, 40).stream().distinct().toList(), counts::toString);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4, 8})
  void on_a_good_curve_it_soon_has_all(int start) {
    Map<Integer, Double> curve = Map.of(1, 1.0, 2, 1.9, 4, 3.6, 8, 6.8);
    List<Integer> counts = played(start, 8, 40, curve);
    assertEquals(List.of(8), counts.subList(5, 40).stream().distinct().toList(), counts::toString);
  }
}
