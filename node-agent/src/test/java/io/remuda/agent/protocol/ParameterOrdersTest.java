package io.remuda.agent.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.remuda.agent.testkit.TestAgents;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.CommandWorkload;
import io.remuda.worker.job.sweep.TaskParameters;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Orders of tasks that have something for themselves. */
class ParameterOrdersTest {
  private static final CommandWorkload ALIKE =
      new CommandWorkload(
          List.of("train", "--lr={lr}"), Map.of("OUT", "run-{lr}", "A", "b"), "/w", 022);

  private static TaskStartOrder order(String attempt, TaskParameters parameters) {
    return new TaskStartOrder(
        AttemptId.parse(attempt),
        "ann",
        false,
        0,
        ALIKE,
        List.of(),
        1,
        false,
        TestAgents.FACTS,
        0,
        null,
        null,
        parameters);
  }

  private static final TaskParameters OWN =
      new TaskParameters(
          Map.of("lr", "0.1"),
          Map.of("REMUDA_PARAM_LR", "0.1", "REMUDA_TASK_INDEX", "17", "REMUDA_TASK_COUNT", "100"));

  @Test
  void the_command_travels_once_for_all_tasks_of_a_sweep() {
    OrderTemplates sender = new OrderTemplates();
    OrderTemplates receiver = new OrderTemplates();
    TaskStartOrder first = order("1.0.1", OWN);
    TaskStartOrder second = order("1.1.1", new TaskParameters(Map.of("lr", "0.2"), Map.of()));
    CoordinatorMessage message =
        sender.shorten(
            new CoordinatorMessage.Desired(
                1, 1, false, List.of(first, second), List.of(), List.of()));
    assertEquals(1, ((CoordinatorMessage.DesiredByTemplate) message).templates().size());
    CoordinatorMessage.Desired whole = (CoordinatorMessage.Desired) receiver.complete(message);
    assertEquals(List.of(first, second), whole.tasks());
    assertEquals(List.of("train", "--lr=0.2"), whole.tasks().get(1).command().argv());
  }

  @Test
  void a_node_that_knows_no_parameters_gets_a_command_that_does_the_same() {
    TaskStartOrder plain = order("1.0.1", OWN).withoutParameters();
    assertNull(plain.parameters());
    CommandWorkload command = (CommandWorkload) plain.workload();
    assertEquals(
        List.of(
            "/usr/bin/env", "REMUDA_TASK_INDEX=17", "REMUDA_TASK_COUNT=100", "train", "--lr=0.1"),
        command.argv());
    assertEquals("run-0.1", command.environment().get("OUT"));
    assertEquals("0.1", command.environment().get("REMUDA_PARAM_LR"));
    TaskStartOrder none = order("1.0.1", null);
    assertSame(none, none.withoutParameters());
  }
}
