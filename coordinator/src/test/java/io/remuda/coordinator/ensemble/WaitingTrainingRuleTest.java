package io.remuda.coordinator.ensemble;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.api.ClusterEvent;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.TaskId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class WaitingTrainingRuleTest {
  private static final WaitReason NO_GPU = new WaitReason.TooFewFreeGpus("n1", 1, 0, 2);
  private static final WaitReason NO_MEMORY =
      new WaitReason.TooLittleMemory("n1", 1250L << 20, 100L << 20, 4000L << 20);

  private final WaitingTrainingRule waitNotices = new WaitingTrainingRule(0);

  private static ClusterEvent.Waiting waiting(
      String task, boolean anyDeviceAnswers, WaitReason... why) {
    return new ClusterEvent.Waiting(Map.of(TaskId.parse(task), List.of(why)), anyDeviceAnswers);
  }

  private static long seconds(int seconds) {
    return Duration.ofSeconds(seconds).toNanos();
  }

  @Test
  void trainings_that_wait_for_a_gpu_are_hopeless_when_none_has_answered_for_ten_seconds() {
    ClusterEvent.Waiting event = waiting("1.1", false, NO_GPU);
    assertFalse(waitNotices.areHopeless(event, true, seconds(10)));
    assertTrue(waitNotices.areHopeless(event, true, seconds(11)));
    assertFalse(waitNotices.areHopeless(event, true, seconds(12)), "said once");
  }

  @Test
  void a_gpu_that_answers_in_between_is_a_hope() {
    waitNotices.areHopeless(waiting("1.1", true, NO_GPU), true, seconds(9));
    assertFalse(waitNotices.areHopeless(waiting("1.1", false, NO_GPU), true, seconds(19)));
  }

  @Test
  void a_silent_node_may_bring_its_gpus_back() {
    assertFalse(waitNotices.areHopeless(waiting("1.1", false, NO_GPU), false, seconds(60)));
  }

  @Test
  void to_wait_for_memory_is_not_hopeless() {
    assertFalse(waitNotices.areHopeless(waiting("1.1", false, NO_MEMORY), true, seconds(60)));
  }

  @Test
  void the_scipy_workers_need_no_gpu() {
    ClusterEvent.Waiting trainings = waiting("2.0", false, NO_GPU).of(new JobId(1));
    assertFalse(waitNotices.areHopeless(trainings, true, seconds(60)));
  }

  @Test
  void memory_that_is_too_little_is_told_once() {
    assertEquals(Optional.empty(), waitNotices.memoryNote(waiting("1.1", true, NO_GPU)));
    assertEquals(
        Optional.of(
            "not all trainings fit at once: one takes about 1250 MiB, n1 has 100 MiB left;"
                + " the others wait"),
        waitNotices.memoryNote(waiting("1.1", true, NO_MEMORY)));
    assertEquals(Optional.empty(), waitNotices.memoryNote(waiting("1.1", true, NO_MEMORY)));
  }

  @Test
  void a_training_that_fits_on_no_node_is_told_with_what_to_do() {
    WaitReason never = new WaitReason.TooLittleMemory("n1", 1250L << 20, 1024L << 20, 1024L << 20);
    WaitReason later = new WaitReason.TooLittleMemory("n2", 1250L << 20, 0, 4000L << 20);
    assertEquals(Optional.empty(), waitNotices.impossible(waiting("1.1", true, never, later)));
    assertEquals(Optional.empty(), waitNotices.impossible(waiting("1.1", true, never, NO_GPU)));
    String told = waitNotices.impossible(waiting("1.1", true, never)).orElseThrow();
    assertTrue(told.contains("n1 only 1024 MiB") && told.contains("--test-batch-size"), told);
  }
}
