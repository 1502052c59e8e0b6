package io.remuda.agent.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.agent.protocol.TaskPhase;
import io.remuda.agent.protocol.TaskStartOrder;
import io.remuda.agent.testkit.TestAgents;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.ConvolutionWorkload;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DesiredStateDifferenceTest {
  private static AttemptId id(String attempt) {
    return AttemptId.parse(attempt);
  }

  private static List<TaskStartOrder> wanted(String... attempts) {
    return Stream.of(attempts)
        .map(
            attempt ->
                new TaskStartOrder(
                    id(attempt),
                    "ann",
                    true,
                    0,
                    new ConvolutionWorkload(4, 1),
                    List.of(),
                    1,
                    false,
                    TestAgents.FACTS))
        .toList();
  }

  private static String show(DesiredStateDifference todo) {
    return "start %s end %s forget %s"
        .formatted(
            todo.start().stream().map(TaskStartOrder::attempt).toList(), todo.end(), todo.forget());
  }

  @Test
  void what_is_wanted_and_not_there_is_started_in_the_order_given() {
    assertEquals(
        "start [1.1.1, 1.0.1] end [] forget []",
        show(DesiredStateDifference.of(wanted("1.1.1", "1.0.1"), Map.of())));
  }

  @ParameterizedTest
  @EnumSource(TaskPhase.class)
  void what_is_wanted_and_held_is_left_alone_in_every_phase(TaskPhase phase) {
    assertEquals(
        "start [] end [] forget []",
        show(DesiredStateDifference.of(wanted("1.0.1"), Map.of(id("1.0.1"), phase))));
  }

  @Test
  void what_lives_and_is_not_wanted_is_ended_once() {
    assertEquals(
        "start [] end [1.0.1, 1.1.1] forget []",
        show(
            DesiredStateDifference.of(
                List.of(),
                Map.of(
                    id("1.1.1"), TaskPhase.RUNNING,
                    id("1.0.1"), TaskPhase.STARTING,
                    id("1.2.1"), TaskPhase.ENDING))));
  }

  @Test
  void what_is_over_and_not_wanted_any_more_is_forgotten() {
    assertEquals(
        "start [] end [] forget [1.0.1, 1.1.1]",
        show(
            DesiredStateDifference.of(
                List.of(), Map.of(id("1.0.1"), TaskPhase.ENDED, id("1.1.1"), TaskPhase.REFUSED))));
  }

  @Test
  void a_new_attempt_waits_for_the_one_before_it_to_be_gone() {
    assertEquals(
        "start [] end [1.0.1] forget []",
        show(DesiredStateDifference.of(wanted("1.0.2"), Map.of(id("1.0.1"), TaskPhase.RUNNING))));
    assertEquals(
        "start [] end [] forget []",
        show(DesiredStateDifference.of(wanted("1.0.2"), Map.of(id("1.0.1"), TaskPhase.ENDING))));
    assertEquals(
        "start [1.0.2] end [] forget [1.0.1]",
        show(DesiredStateDifference.of(wanted("1.0.2"), Map.of(id("1.0.1"), TaskPhase.ENDED))));
  }

  @Test
  void another_task_of_the_job_does_not_wait() {
    assertEquals(
        "start [1.1.1] end [] forget []",
        show(
            DesiredStateDifference.of(
                wanted("1.0.1", "1.1.1"), Map.of(id("1.0.1"), TaskPhase.RUNNING))));
  }
}
