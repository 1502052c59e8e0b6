package io.remuda.coordinator.ensemble;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.api.CoordinatorCommand;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How a run ends: in which order, what it waits for, and by a signal. */
class EnsembleEndTest {
  @Test
  void the_end_is_pools_telemetry_post_processor_nodes_and_then_the_results() {
    RunUnderTest run = new RunUnderTest(2).running("n1", "n2");
    run.toldToCoordinator();
    run.convolved().trained("1.1.1", 1.5);
    assertFalse(run.toldToCoordinator().contains(CoordinatorCommand.StopTelemetry.INSTANCE));
    run.trained("1.0.1", 0.5);
    assertEquals(List.of(CoordinatorCommand.StopTelemetry.INSTANCE), run.toldToCoordinator());
    run.closed("n2");
    assertEquals(List.of("closed n2"), run.toldToPostProcessor());
    run.closed("n1");
    assertEquals(List.of("closed n1", "Finish"), run.toldToPostProcessor());
    assertEquals(List.of(), run.toldToCoordinator());
    run.drained();
    assertEquals(
        List.of(new CoordinatorCommand.EndNodes("the run is over", RunUnderTest.GRACE)),
        run.toldToCoordinator());
    assertEquals(RunUnderTest.END, run.end().within());
    assertEquals(0, run.nodesEnded().exitCode());
    assertEquals(
        List.of(
            "Launching scipy and mnist jobs",
            "Shutting down procs",
            "Final test for learning rate 0.5: loss: 0.25 accuracy: 97.5",
            "Final test for learning rate 1.5: loss: 0.25 accuracy: 97.5"),
        run.lines().stream().skip(2).toList());
  }

  @Test
  void a_node_that_is_silent_at_the_end_is_not_waited_for() {
    RunUnderTest run = new RunUnderTest(2).running("n1", "n2").silent("n2").allWorked();
    assertEquals(List.of("closed n2"), run.toldToPostProcessor());
    run.closed("n1");
    assertEquals(List.of("closed n1", "Finish"), run.toldToPostProcessor());
  }

  @Test
  void a_node_that_falls_silent_at_the_end_is_not_waited_for() {
    RunUnderTest run =
        new RunUnderTest(2).running("n1", "n2").allWorked().closed("n1").silent("n2");
    assertEquals(List.of("closed n1", "closed n2", "Finish"), run.toldToPostProcessor());
  }

  @Test
  void a_node_that_comes_back_at_the_end_is_closed_once() {
    RunUnderTest run = new RunUnderTest(2).running("n1", "n2").silent("n2").allWorked();
    run.joins("n2").closed("n2").closed("n1");
    assertEquals(List.of("closed n2", "closed n1", "Finish"), run.toldToPostProcessor());
    assertEquals(1, run.lines().stream().filter(line -> line.endsWith("on node n2.")).count());
  }

  @Test
  void telemetry_that_does_not_end_is_given_up_after_a_while() {
    RunUnderTest run = new RunUnderTest(2).running("n1", "n2").allWorked().closed("n1");
    run.timer("TelemetryLate");
    assertEquals(List.of("closed n1", "Finish"), run.toldToPostProcessor());
    run.drained();
    assertEquals(0, run.nodesEnded().exitCode());
    assertTrue(run.notes().contains("node n2 did not end its telemetry in time"));
  }

  @Test
  void the_post_processor_is_finished_once() {
    RunUnderTest run = new RunUnderTest(2).running("n1", "n2").allWorked().closed("n1");
    run.timer("TelemetryLate");
    run.closed("n2");
    assertEquals(
        1, run.toldToPostProcessor().stream().filter(word -> word.equals("Finish")).count());
  }

  @Test
  void a_closed_telemetry_in_the_middle_of_the_run_ends_nothing() {
    RunUnderTest run = new RunUnderTest(1).running("n1").closed("n1");
    assertEquals(List.of(), run.toldToPostProcessor());
  }

  @ParameterizedTest
  @ValueSource(ints = {130, 143})
  void a_signal_ends_the_nodes_at_once_without_results(int code) {
    RunUnderTest run = new RunUnderTest(1).running("n1").trained("1.0.1", 0.5);
    run.toldToCoordinator();
    run.tell(new Ensemble.Interrupt("SIGINT", code));
    assertEquals(
        List.of(new CoordinatorCommand.EndNodes("SIGINT", RunUnderTest.GRACE)),
        run.toldToCoordinator());
    assertEquals(code, run.nodesEnded().exitCode());
    assertEquals(List.of(), run.lines().stream().filter(line -> line.startsWith("Final")).toList());
  }

  @Test
  void a_second_interrupt_changes_nothing() {
    RunUnderTest run =
        new RunUnderTest(1).running("n1").tell(new Ensemble.Interrupt("SIGINT", 130));
    run.toldToCoordinator();
    run.tell(new Ensemble.Interrupt("SIGTERM", 143));
    assertEquals(List.of(), run.toldToCoordinator());
    assertEquals(130, run.nodesEnded().exitCode());
  }

  @Test
  void nodes_of_other_machines_are_waited_for_but_no_longer_than_a_while() {
    RunUnderTest run =
        new RunUnderTest(2).running("n1", "n2").tell(new Ensemble.Interrupt("SIGINT", 130));
    run.localNodesEnded().silent("n1");
    assertTrue(run.isAlive());
    run.timer("EndLate");
    assertEquals(130, run.exitCode());
  }

  @Test
  void the_report_for_programs_is_printed_when_it_is_asked_for() {
    RunUnderTest run =
        new RunUnderTest(1, true).running("n1").allWorked().closed("n1").drained().nodesEnded();
    String last = run.lines().get(run.lines().size() - 1);
    assertTrue(last.startsWith("{\"run\":\"20260101-000000-1\",\"nodes\":[\"n1\"]"), last);
  }
}
