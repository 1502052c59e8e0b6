package io.remuda.coordinator.ensemble;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.api.ClusterEvent;
import io.remuda.coordinator.api.CoordinatorCommand;
import io.remuda.coordinator.launch.RunAgents;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.worker.job.TaskId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes that fall silent, are told to end, or cannot stay up during a run. */
class EnsembleNodesTest {
  @Test
  void a_node_that_cannot_stay_up_ends_the_run_if_it_is_the_only_one() {
    RunUnderTest run =
        new RunUnderTest(1).running("n1").silent("n1").tell(new Ensemble.NodeGivenUp("n1", "port"));
    assertEquals(1, run.nodesEnded().exitCode());
    assertTrue(run.notes().contains("remuda: node n1 cannot stay up: port"));
  }

  @Test
  void a_node_that_cannot_stay_up_is_left_out_if_others_run() {
    RunUnderTest run = new RunUnderTest(2).running("n1", "n2").silent("n1");
    run.tell(new Ensemble.NodeGivenUp("n1", "port"));
    assertTrue(run.isAlive());
    assertEquals(null, run.end());
    run.allWorked().closed("n2").drained();
    assertEquals(0, run.nodesEnded().exitCode());
  }

  @Test
  void trainings_do_not_wait_for_the_gpus_of_a_node_that_cannot_stay_up() {
    RunUnderTest run = new RunUnderTest(2).running("n1", "n2").silent("n1");
    ClusterEvent.Waiting waiting =
        new ClusterEvent.Waiting(
            Map.of(
                TaskId.parse(RunUnderTest.MNIST + ".1"),
                List.of(new WaitReason.TooFewFreeGpus("n2", 1, 0, 0))),
            false);
    run.happens(waiting);
    run.passes(Duration.ofSeconds(11));
    run.toldToCoordinator();
    run.happens(waiting);
    assertEquals(List.of(), run.toldToCoordinator(), "it may come back");
    run.tell(new Ensemble.NodeGivenUp("n1", "port")).happens(waiting);
    run.passes(Duration.ofSeconds(11));
    run.happens(waiting);
    assertEquals(
        List.of(new CoordinatorCommand.WithoutGpus(RunUnderTest.MNIST)), run.toldToCoordinator());
  }

  @Test
  void a_node_that_cannot_stay_up_once_the_work_is_done_costs_no_result() {
    RunUnderTest run = new RunUnderTest(1).running("n1").allWorked().silent("n1");
    run.tell(new Ensemble.NodeGivenUp("n1", "port")).drained();
    assertEquals(0, run.nodesEnded().exitCode());
    assertEquals(2, run.lines().stream().filter(line -> line.startsWith("Final")).count());
  }

  @Test
  void a_silent_node_is_told_to_its_keeper_of_processes_and_a_heard_one_too() {
    RunUnderTest run = new RunUnderTest(1).running("n1").silent("n1").joins("n1");
    assertEquals(
        List.of(new RunAgents.Heard("n1"), new RunAgents.Silent("n1"), new RunAgents.Heard("n1")),
        run.toldToLocalNodes());
    assertTrue(run.notes().contains("node n1 is silent (closed); waiting for it"));
    assertTrue(run.notes().contains("node n1 is back"));
  }

  @Test
  void a_node_that_was_told_to_end_by_a_signal_is_told_to_the_watch_over_agents() {
    RunUnderTest run =
        new RunUnderTest(2).running("n1", "n2").happens(new ClusterEvent.NodeSignalled("n2"));
    assertEquals(
        List.of(
            new RunAgents.Heard("n1"), new RunAgents.Heard("n2"), new RunAgents.Signalled("n2")),
        run.toldToLocalNodes());
    assertTrue(run.isAlive(), "the watch decides what a signal means");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void a_signal_reaches_the_watch_in_each_phase(int phase) {
    RunUnderTest run =
        phase == 0 ? new RunUnderTest(2).joins("n1") : new RunUnderTest(1).running("n1");
    run = phase == 2 ? run.allWorked() : run;
    run.happens(new ClusterEvent.NodeSignalled("n1"));
    assertTrue(run.toldToLocalNodes().contains(new RunAgents.Signalled("n1")));
  }
}
