package io.remuda.coordinator.schedule.mix;

import static io.remuda.coordinator.schedule.ScheduleSamples.needs;
import static io.remuda.coordinator.schedule.ScheduleSamples.tasks;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.schedule.NeedsBuilder;
import io.remuda.coordinator.schedule.model.TaskClass;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TaskMixLearnerTest {

  private final TaskMixLearner learner = new TaskMixLearner();

  private double shareOf(NeedsBuilder needs) {
    return learner.mix().parts().stream()
        .filter(part -> part.shape().equals(TaskShape.of(needs.request())))
        .mapToDouble(TaskMix.Part::share)
        .sum();
  }

  private static NeedsBuilder gpu() {
    return needs().gpus(1);
  }

  private static NeedsBuilder cpu() {
    return needs().cpus(2);
  }

  @Test
  void a_shape_has_the_share_of_the_tasks_that_came_with_it() {
    learner.saw(List.of(tasks(1, 3).need(gpu()).line(), tasks(2, 1).need(cpu()).line()));
    assertEquals(0.75, shareOf(gpu()));
    assertEquals(0.25, shareOf(cpu()));
    assertTrue(learner.mix().hasGpus());
  }

  @Test
  void tasks_that_still_wait_are_not_counted_again_and_those_of_later_jobs_are() {
    learner.saw(List.of(tasks(1, 4).need(gpu()).line(), tasks(2, 4).need(cpu()).line()));
    learner.saw(List.of(tasks(1, 4).need(gpu()).line(), tasks(2, 2).need(cpu()).line()));
    assertEquals(0.5, shareOf(gpu()));
    learner.saw(List.of(tasks(3, 8).need(cpu()).line()));
    assertEquals(0.25, shareOf(gpu()));
  }

  @Test
  void nor_are_they_if_very_many_classes_wait() {
    List<TaskClass> lines = new ArrayList<>();
    for (int user = 0; user < 10_100; user++) {
      lines.add(tasks(1 + user, 1).of("user" + user).need(gpu()).line());
    }
    learner.saw(lines);
    TaskMix before = learner.mix();
    learner.saw(lines);
    assertSame(before, learner.mix());
    lines.set(0, tasks(20_000, 1).of("another").need(gpu()).line());
    learner.saw(lines);
    learner.saw(lines);
    assertSame(before, learner.mix());
  }

  @Test
  void the_mix_stays_the_same_while_few_tasks_come() {
    learner.saw(List.of(tasks(1, 80).need(gpu()).line()));
    TaskMix before = learner.mix();
    learner.saw(List.of(tasks(2, 10).need(cpu()).line()));
    assertSame(before, learner.mix());
    learner.saw(List.of(tasks(3, 1).need(cpu()).line()));
    assertEquals(80 / 91.0, shareOf(gpu()));
  }

  @Test
  void what_came_long_ago_counts_less() {
    learner.saw(List.of(tasks(1, 60_000).need(gpu()).line()));
    learner.saw(List.of(tasks(2, 30_000).need(cpu()).line()));
    assertEquals(0.5, shareOf(gpu()));
  }

  @Test
  void once_a_task_wants_gpus_one_with_a_whole_gpu_is_expected_too() {
    learner.saw(List.of(tasks(1, 4).need(cpu()).line()));
    assertFalse(learner.mix().hasGpus());
    learner.saw(List.of(tasks(2, 4).need(gpu().cpus(2)).line()));
    assertEquals(0.5, shareOf(gpu().cpus(2)));
    assertEquals(0.125, shareOf(gpu().cpus(1)));
  }

  @Test
  void without_tasks_there_is_no_mix() {
    learner.saw(List.of());
    assertFalse(learner.mix().hasGpus());
  }
}
