package io.remuda.coordinator.ensemble;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.api.CoordinatorCommand;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a run needs before it works. */
class EnsembleStartTest {
  @Test
  void it_begins_when_all_nodes_are_there_telemetry_first_and_then_the_pools() {
    RunUnderTest run = new RunUnderTest(2).running("n1");
    assertEquals(List.of(), run.submitted());
    run.joins("n2");
    List<CoordinatorCommand> told = run.toldToCoordinator();
    assertEquals(CoordinatorCommand.StartTelemetry.INSTANCE, told.get(0));
    assertEquals(3, told.size());
    assertEquals(
        List.of(
            "This is a telemetry process on node n1.",
            "This is a telemetry process on node n2.",
            "Launching scipy and mnist jobs"),
        run.lines());
  }

  @Test
  void trainings_wait_for_their_data_and_are_submitted_once() {
    RunUnderTest run = new RunUnderTest(1).joins("n1");
    assertEquals(List.of(EnsembleJobFactory.SCIPY), run.submitted());
    run.hasData();
    assertEquals(List.of(EnsembleJobFactory.MNIST), run.submitted());
    run.hasData();
    assertEquals(List.of(), run.submitted());
  }

  @Test
  void the_run_does_not_end_before_its_trainings_were_submitted() {
    RunUnderTest run = new RunUnderTest(1).joins("n1").convolved();
    assertFalse(run.toldToCoordinator().contains(CoordinatorCommand.StopTelemetry.INSTANCE));
  }

  @Test
  void no_data_ends_the_run_with_status_1() {
    RunUnderTest run =
        new RunUnderTest(1).joins("n1").tell(new Ensemble.NoData("no mirror answers"));
    assertEquals(1, run.nodesEnded().exitCode());
    assertTrue(run.notes().contains("remuda: no mirror answers"));
  }

  @Test
  void missing_nodes_end_the_run_with_status_1() {
    RunUnderTest run = new RunUnderTest(3).running("n1");
    run.timer("NodesLate");
    assertEquals(1, run.nodesEnded().exitCode());
    assertTrue(run.notes().get(0).startsWith("remuda: 1 of 3 nodes joined within 60 s"));
  }
}
