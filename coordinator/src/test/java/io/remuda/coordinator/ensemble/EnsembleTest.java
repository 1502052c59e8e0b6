package io.remuda.coordinator.ensemble;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.actor.ClusterEvent;
import io.remuda.coordinator.actor.Coordinator;
import io.remuda.coordinator.actor.PostProcessor;
import io.remuda.coordinator.console.Console;
import io.remuda.coordinator.launch.Agents;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.lifecycle.TaskTrigger;
import io.remuda.coordinator.registry.NodeRegistry;
import io.remuda.coordinator.registry.TaskChange;
import io.remuda.coordinator.schedule.WaitReason;
import io.remuda.coordinator.testkit.Messages;
import io.remuda.telemetry.model.HostInfo;
import io.remuda.telemetry.testkit.ManualTicker;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.TaskId;
import io.remuda.worker.protocol.ToWorker;
import io.remuda.worker.protocol.WorkerEvent;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.pekko.actor.testkit.typed.javadsl.BehaviorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.apache.pekko.actor.typed.Behavior;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EnsembleTest {
  private static final Duration GRACE = Duration.ofSeconds(1);
  private static final Duration END = Duration.ofMillis(2200);

  /** A run with two trainings and one scipy worker; what it says and tells is noted. */
  private static final class Run {
    private final TestInbox<Coordinator.Command> coordinator = TestInbox.create();
    private final TestInbox<PostProcessor.Command> postProcessor = TestInbox.create();
    private final TestInbox<Agents.Command> localNodes = TestInbox.create();
    private final TestInbox<Ensemble.Outcome> outcome = TestInbox.create();
    private final ByteArrayOutputStream lines = new ByteArrayOutputStream();
    private final ByteArrayOutputStream notes = new ByteArrayOutputStream();
    private final Console console = Console.of(print(lines), print(notes), print(lines));
    private final BehaviorTestKit<Ensemble.Command> run;
    private final Set<String> joined = new TreeSet<>();
    private final ManualTicker ticker = new ManualTicker();
    private PostProcessor.Finish finish;
    private Agents.End end;

    Run(int nodes) {
      this(nodes, false);
    }

    Run(int nodes, boolean json) {
      run =
          BehaviorTestKit.create(
              Ensemble.create(
                  new Ensemble.Parts(
                      TestSettings.run(2, 1, nodes),
                      "20260101-000000-1",
                      "ann",
                      json,
                      Duration.ofSeconds(60),
                      GRACE,
                      END,
                      Duration.ofMillis(500),
                      coordinator.getRef(),
                      postProcessor.getRef(),
                      localNodes.getRef(),
                      console,
                      ticker,
                      outcome.getRef())));
    }

    private static PrintStream print(ByteArrayOutputStream stream) {
      return new PrintStream(stream, false, StandardCharsets.UTF_8);
    }

    Run tell(Ensemble.Command command) {
      run.run(command);
      return this;
    }

    Run happens(ClusterEvent event) {
      return tell(new Ensemble.Happened(event));
    }

    Run joins(String node) {
      joined.add(node);
      HostInfo host = new HostInfo("h1", "a CPU", 4, 4, 1L << 33, 1L << 33);
      return happens(
          new ClusterEvent.NodeJoined(
              new NodeRegistry.Node(node, host, List.of(), "test", Map.of(), true, false, Map.of()),
              false));
    }

    Run silent(String node) {
      return happens(new ClusterEvent.NodeSilent(node, "closed"));
    }

    Run closed(String node) {
      return happens(new ClusterEvent.TelemetryClosed(node));
    }

    Run hasData() {
      return tell(new Ensemble.DataReady(Optional.empty()));
    }

    /** All nodes and the data are there. */
    Run running(String... names) {
      hasData();
      for (String name : names) {
        joins(name);
      }
      return this;
    }

    Run told(String attempt, long sequence, WorkerEvent event) {
      return happens(new ClusterEvent.WorkerTold(AttemptId.parse(attempt), sequence, event));
    }

    Run ends(String attempt, TaskTrigger trigger, TaskState state, String cause) {
      return happens(
          new ClusterEvent.TaskMoved(
              new TaskChange(
                  AttemptId.parse(attempt),
                  TaskState.RUNNING,
                  trigger,
                  state,
                  "n1",
                  List.of(),
                  cause)));
    }

    Run succeeds(String attempt) {
      return ends(attempt, TaskTrigger.FINISHED, TaskState.SUCCEEDED, "exit code 0");
    }

    Run trained(String attempt, double rate) {
      return told(attempt, 1, new WorkerEvent.Trained(rate, 0.25, 97.5)).succeeds(attempt);
    }

    /** The scipy worker takes every image and ends. */
    Run convolved() {
      for (int item = 0; item < 4; item++) {
        long sequence = 2L * item + 1;
        told("2.0.1", sequence, new WorkerEvent.ItemsWanted());
        told("2.0.1", sequence + 1, new WorkerEvent.ItemsDone(item, item + 1, List.of()));
      }
      return told("2.0.1", 9, new WorkerEvent.PoolDone(4)).succeeds("2.0.1");
    }

    Run allWorked() {
      return convolved().trained("1.1.1", 1.5).trained("1.0.1", 0.5);
    }

    /** The post-processor has printed everything. */
    Run drained() {
      finish().replyTo().tell(new PostProcessor.Finished(List.of()));
      run.runOne();
      return this;
    }

    /** Nothing of this machine's nodes is left. */
    Run localNodesEnded() {
      end().replyTo().tell(Agents.Ended.INSTANCE);
      run.runOne();
      return this;
    }

    /** Nothing of any node is left. */
    Run nodesEnded() {
      localNodesEnded();
      joined.stream().filter(node -> run.isAlive()).forEach(this::silent);
      return this;
    }

    PostProcessor.Finish finish() {
      toldToPostProcessor();
      return finish;
    }

    Agents.End end() {
      for (Agents.Command command : localNodes.getAllReceived()) {
        end = command instanceof Agents.End given ? given : end;
      }
      return end;
    }

    /** In words, in order. */
    List<String> toldToPostProcessor() {
      List<String> words = new ArrayList<>();
      for (PostProcessor.Command command : postProcessor.getAllReceived()) {
        finish = command instanceof PostProcessor.Finish given ? given : finish;
        words.add(
            command instanceof PostProcessor.Closed closed
                ? "closed " + closed.node()
                : command.getClass().getSimpleName());
      }
      return words;
    }

    List<Coordinator.Command> toldToCoordinator() {
      return coordinator.getAllReceived();
    }

    List<JobId> submitted() {
      return toldToCoordinator().stream()
          .filter(Coordinator.Submit.class::isInstance)
          .map(command -> ((Coordinator.Submit) command).job().id())
          .toList();
    }

    List<ToWorker> answers() {
      return toldToCoordinator().stream()
          .filter(Coordinator.Answer.class::isInstance)
          .map(command -> ((Coordinator.Answer) command).message())
          .toList();
    }

    /** Ends the console and shows the run's lines. */
    List<String> lines() {
      console.close();
      return lines.toString(StandardCharsets.UTF_8).lines().toList();
    }

    List<String> notes() {
      console.close();
      return notes.toString(StandardCharsets.UTF_8).lines().toList();
    }

    int exitCode() {
      assertFalse(run.isAlive(), "the run goes on");
      return outcome.receiveMessage().exitCode();
    }

    void timer(String name) {
      tell(Messages.only(Ensemble.Command.class, name));
    }
  }

  @Test
  void every_command_is_handled() {
    List<Ensemble.Command> samples =
        Messages.oneOfEach(
            Ensemble.Command.class,
            Optional.empty(),
            new ClusterEvent.TelemetryClosed("n1"),
            new PostProcessor.Finished(List.of()));
    assertEquals(Ensemble.Command.class.getPermittedSubclasses().length, samples.size());
    for (Ensemble.Command sample : samples) {
      Run run = new Run(1).tell(sample);
      assertFalse(Behavior.isUnhandled(run.run.returnedBehavior()), sample.toString());
    }
  }

  @Test
  void every_event_of_the_cluster_is_handled() {
    Run run = new Run(2).running("n1");
    List<ClusterEvent> events =
        Messages.oneOfEach(
            ClusterEvent.class,
            new NodeRegistry.Node(
                "n1",
                new HostInfo("h1", "a CPU", 4, 4, 1, 1),
                List.of(),
                "test",
                Map.of(),
                true,
                false,
                Map.of()),
            new TaskChange(
                AttemptId.parse("1.0.1"),
                TaskState.WAITING,
                TaskTrigger.PLACED,
                TaskState.STARTING,
                "n1",
                List.of(),
                null),
            AttemptId.parse("1.0.1"),
            new WorkerEvent.Said("hello"),
            run.coordinator.getRef());
    for (ClusterEvent event : events) {
      run.happens(event);
      assertFalse(Behavior.isUnhandled(run.run.returnedBehavior()), event.toString());
    }
  }

  @Test
  void it_begins_when_all_nodes_are_there_telemetry_first_and_then_the_pools() {
    Run run = new Run(2).running("n1");
    assertEquals(List.of(), run.submitted());
    run.joins("n2");
    List<Coordinator.Command> told = run.toldToCoordinator();
    assertEquals(Coordinator.StartTelemetry.INSTANCE, told.get(0));
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
    Run run = new Run(1).joins("n1");
    assertEquals(List.of(Jobs.SCIPY), run.submitted());
    run.hasData();
    assertEquals(List.of(Jobs.MNIST), run.submitted());
    run.hasData();
    assertEquals(List.of(), run.submitted());
  }

  @Test
  void the_run_does_not_end_before_its_trainings_were_submitted() {
    Run run = new Run(1).joins("n1").convolved();
    assertFalse(run.toldToCoordinator().contains(Coordinator.StopTelemetry.INSTANCE));
  }

  @Test
  void no_data_ends_the_run_with_status_1() {
    Run run = new Run(1).joins("n1").tell(new Ensemble.NoData("no mirror answers"));
    assertEquals(1, run.nodesEnded().exitCode());
    assertTrue(run.notes().contains("remuda: no mirror answers"));
  }

  @Test
  void missing_nodes_end_the_run_with_status_1() {
    Run run = new Run(3).running("n1");
    run.timer("NodesLate");
    assertEquals(1, run.nodesEnded().exitCode());
    assertTrue(run.notes().get(0).startsWith("remuda: 1 of 3 nodes joined within 60 s"));
  }

  @Test
  void a_worker_that_wants_items_gets_a_range_under_its_question_and_then_no_more() {
    Run run = new Run(1).running("n1");
    run.toldToCoordinator();
    for (long sequence = 1; sequence <= 5; sequence++) {
      run.told("2.0.1", sequence, new WorkerEvent.ItemsWanted());
    }
    assertEquals(
        List.of(
            new ToWorker.ItemsGranted(1, 0, 1),
            new ToWorker.ItemsGranted(2, 1, 2),
            new ToWorker.ItemsGranted(3, 2, 3),
            new ToWorker.ItemsGranted(4, 3, 4),
            new ToWorker.NoMoreItems(5)),
        run.answers());
  }

  @Test
  void the_items_of_a_lost_worker_go_to_its_next_attempt() {
    Run run = new Run(1).running("n1").told("2.0.1", 1, new WorkerEvent.ItemsWanted());
    run.ends("2.0.1", TaskTrigger.INTERRUPTED, TaskState.WAITING, "signal 9");
    run.toldToCoordinator();
    run.told("2.0.2", 1, new WorkerEvent.ItemsWanted());
    assertEquals(List.of(new ToWorker.ItemsGranted(1, 0, 1)), run.answers());
    assertEquals(
        List.of(
            "no node has a GPU (n1: test): the MNIST workers train on the CPU",
            "scipy worker 0 was interrupted on node n1 (signal 9); it runs again"),
        run.notes());
  }

  @Test
  void the_end_is_pools_telemetry_post_processor_nodes_and_then_the_results() {
    Run run = new Run(2).running("n1", "n2");
    run.toldToCoordinator();
    run.convolved().trained("1.1.1", 1.5);
    assertFalse(run.toldToCoordinator().contains(Coordinator.StopTelemetry.INSTANCE));
    run.trained("1.0.1", 0.5);
    assertEquals(List.of(Coordinator.StopTelemetry.INSTANCE), run.toldToCoordinator());
    run.closed("n2");
    assertEquals(List.of("closed n2"), run.toldToPostProcessor());
    run.closed("n1");
    assertEquals(List.of("closed n1", "Finish"), run.toldToPostProcessor());
    assertEquals(List.of(), run.toldToCoordinator());
    run.drained();
    assertEquals(
        List.of(new Coordinator.EndNodes("the run is over", GRACE)), run.toldToCoordinator());
    assertEquals(END, run.end().within());
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
    Run run = new Run(2).running("n1", "n2").silent("n2").allWorked();
    assertEquals(List.of("closed n2"), run.toldToPostProcessor());
    run.closed("n1");
    assertEquals(List.of("closed n1", "Finish"), run.toldToPostProcessor());
  }

  @Test
  void a_node_that_falls_silent_at_the_end_is_not_waited_for() {
    Run run = new Run(2).running("n1", "n2").allWorked().closed("n1").silent("n2");
    assertEquals(List.of("closed n1", "closed n2", "Finish"), run.toldToPostProcessor());
  }

  @Test
  void a_node_that_comes_back_at_the_end_is_closed_once() {
    Run run = new Run(2).running("n1", "n2").silent("n2").allWorked();
    run.joins("n2").closed("n2").closed("n1");
    assertEquals(List.of("closed n2", "closed n1", "Finish"), run.toldToPostProcessor());
    assertEquals(1, run.lines().stream().filter(line -> line.endsWith("on node n2.")).count());
  }

  @Test
  void telemetry_that_does_not_end_is_given_up_after_a_while() {
    Run run = new Run(2).running("n1", "n2").allWorked().closed("n1");
    run.timer("TelemetryLate");
    assertEquals(List.of("closed n1", "Finish"), run.toldToPostProcessor());
    run.drained();
    assertEquals(0, run.nodesEnded().exitCode());
    assertTrue(run.notes().contains("node n2 did not end its telemetry in time"));
  }

  @Test
  void the_post_processor_is_finished_once() {
    Run run = new Run(2).running("n1", "n2").allWorked().closed("n1");
    run.timer("TelemetryLate");
    run.closed("n2");
    assertEquals(
        1, run.toldToPostProcessor().stream().filter(word -> word.equals("Finish")).count());
  }

  @Test
  void a_closed_telemetry_in_the_middle_of_the_run_ends_nothing() {
    Run run = new Run(1).running("n1").closed("n1");
    assertEquals(List.of(), run.toldToPostProcessor());
  }

  @Test
  void a_failed_training_makes_the_status_1_and_the_others_are_reported() {
    Run run = new Run(1).running("n1").convolved().trained("1.0.1", 0.5);
    run.ends("1.1.1", TaskTrigger.BROKE, TaskState.FAILED, "DataException: no file");
    assertEquals(1, run.closed("n1").drained().nodesEnded().exitCode());
    assertTrue(run.lines().contains("Final test for learning rate 0.5: loss: 0.25 accuracy: 97.5"));
    assertTrue(run.notes().contains("learning rate 1.5 failed: DataException: no file"));
  }

  @Test
  void a_failed_image_makes_the_status_1() {
    Run run = new Run(1).running("n1");
    run.told("2.0.1", 1, new WorkerEvent.ItemsWanted());
    run.told(
        "2.0.1",
        2,
        new WorkerEvent.ItemsDone(0, 1, List.of(new WorkerEvent.ItemFailure(0, "NaN"))));
    for (int item = 1; item < 4; item++) {
      run.told("2.0.1", 2L * item + 1, new WorkerEvent.ItemsWanted());
      run.told("2.0.1", 2L * item + 2, new WorkerEvent.ItemsDone(item, item + 1, List.of()));
    }
    run.succeeds("2.0.1").trained("1.0.1", 0.5).trained("1.1.1", 1.5);
    assertEquals(1, run.closed("n1").drained().nodesEnded().exitCode());
    assertTrue(run.notes().contains("image 0 failed: NaN"));
  }

  @Test
  void a_scipy_worker_given_up_leaves_images_and_makes_the_status_1() {
    Run run = new Run(1).running("n1").trained("1.0.1", 0.5).trained("1.1.1", 1.5);
    run.ends("2.0.1", TaskTrigger.INTERRUPTED_TOO_OFTEN, TaskState.LOST, "exit code 134");
    assertEquals(1, run.closed("n1").drained().nodesEnded().exitCode());
    assertTrue(run.notes().contains("scipy worker 0 failed: exit code 134"));
    assertTrue(run.notes().contains("4 images were not worked on"));
  }

  @ParameterizedTest
  @ValueSource(ints = {130, 143})
  void a_signal_ends_the_nodes_at_once_without_results(int code) {
    Run run = new Run(1).running("n1").trained("1.0.1", 0.5);
    run.toldToCoordinator();
    run.tell(new Ensemble.Interrupt("SIGINT", code));
    assertEquals(List.of(new Coordinator.EndNodes("SIGINT", GRACE)), run.toldToCoordinator());
    assertEquals(code, run.nodesEnded().exitCode());
    assertEquals(List.of(), run.lines().stream().filter(line -> line.startsWith("Final")).toList());
  }

  @Test
  void a_second_interrupt_changes_nothing() {
    Run run = new Run(1).running("n1").tell(new Ensemble.Interrupt("SIGINT", 130));
    run.toldToCoordinator();
    run.tell(new Ensemble.Interrupt("SIGTERM", 143));
    assertEquals(List.of(), run.toldToCoordinator());
    assertEquals(130, run.nodesEnded().exitCode());
  }

  @Test
  void a_node_that_cannot_stay_up_ends_the_run_if_it_is_the_only_one() {
    Run run = new Run(1).running("n1").silent("n1").tell(new Ensemble.NodeGivenUp("n1", "port"));
    assertEquals(1, run.nodesEnded().exitCode());
    assertTrue(run.notes().contains("remuda: node n1 cannot stay up: port"));
  }

  @Test
  void a_node_that_cannot_stay_up_is_left_out_if_others_run() {
    Run run = new Run(2).running("n1", "n2").silent("n1");
    run.tell(new Ensemble.NodeGivenUp("n1", "port"));
    assertTrue(run.run.isAlive());
    assertEquals(null, run.end());
    run.allWorked().closed("n2").drained();
    assertEquals(0, run.nodesEnded().exitCode());
  }

  @Test
  void trainings_do_not_wait_for_the_gpus_of_a_node_that_cannot_stay_up() {
    Run run = new Run(2).running("n1", "n2").silent("n1");
    ClusterEvent.Waiting waiting =
        new ClusterEvent.Waiting(
            Map.of(
                TaskId.parse(Jobs.MNIST + ".1"),
                List.of(new WaitReason.TooFewFreeGpus("n2", 1, 0, 0))),
            false);
    run.happens(waiting);
    run.ticker.advance(Duration.ofSeconds(11));
    run.toldToCoordinator();
    run.happens(waiting);
    assertEquals(List.of(), run.toldToCoordinator(), "it may come back");
    run.tell(new Ensemble.NodeGivenUp("n1", "port")).happens(waiting);
    run.ticker.advance(Duration.ofSeconds(11));
    run.happens(waiting);
    assertEquals(List.of(new Coordinator.WithoutGpus(Jobs.MNIST)), run.toldToCoordinator());
  }

  @Test
  void a_node_that_cannot_stay_up_once_the_work_is_done_costs_no_result() {
    Run run = new Run(1).running("n1").allWorked().silent("n1");
    run.tell(new Ensemble.NodeGivenUp("n1", "port")).drained();
    assertEquals(0, run.nodesEnded().exitCode());
    assertEquals(2, run.lines().stream().filter(line -> line.startsWith("Final")).count());
  }

  @Test
  void nodes_of_other_machines_are_waited_for_but_no_longer_than_a_while() {
    Run run = new Run(2).running("n1", "n2").tell(new Ensemble.Interrupt("SIGINT", 130));
    run.localNodesEnded().silent("n1");
    assertTrue(run.run.isAlive());
    run.timer("EndLate");
    assertEquals(130, run.exitCode());
  }

  @Test
  void a_silent_node_is_told_to_its_keeper_of_processes_and_a_heard_one_too() {
    Run run = new Run(1).running("n1").silent("n1").joins("n1");
    assertEquals(
        List.of(new Agents.Heard("n1"), new Agents.Silent("n1"), new Agents.Heard("n1")),
        run.localNodes.getAllReceived());
    assertTrue(run.notes().contains("node n1 is silent (closed); waiting for it"));
    assertTrue(run.notes().contains("node n1 is back"));
  }

  @Test
  void a_node_that_was_told_to_end_by_a_signal_is_told_to_the_watch_over_agents() {
    Run run = new Run(2).running("n1", "n2").happens(new ClusterEvent.NodeSignalled("n2"));
    assertEquals(
        List.of(new Agents.Heard("n1"), new Agents.Heard("n2"), new Agents.Signalled("n2")),
        run.localNodes.getAllReceived());
    assertTrue(run.run.isAlive(), "the watch decides what a signal means");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void a_signal_reaches_the_watch_in_each_phase(int phase) {
    Run run = phase == 0 ? new Run(2).joins("n1") : new Run(1).running("n1");
    run = phase == 2 ? run.allWorked() : run;
    run.happens(new ClusterEvent.NodeSignalled("n1"));
    assertTrue(run.localNodes.getAllReceived().contains(new Agents.Signalled("n1")));
  }

  @Test
  void progress_is_told_in_words() {
    Run run = new Run(1).running("n1");
    run.told("1.1.1", 1, new WorkerEvent.Said("trains on the CPU"));
    run.told("1.0.1", 1, new WorkerEvent.EpochDone(1, 2, 0.5, 0.0625, 98.125, 12.34));
    run.told("2.0.1", 1, new WorkerEvent.ItemsWanted());
    run.told("2.0.1", 2, new WorkerEvent.ItemsDone(0, 1, List.of()));
    run.timer("NoteImages");
    run.timer("NoteImages");
    assertEquals(
        List.of(
            "learning rate 1.5: trains on the CPU",
            "learning rate 0.5: epoch 1/2 loss 0.0625 accuracy 98.13 % (12.3 s)",
            "images: 1/4"),
        run.notes().stream().skip(1).toList());
  }

  @Test
  void the_report_for_programs_is_printed_when_it_is_asked_for() {
    Run run = new Run(1, true).running("n1").allWorked().closed("n1").drained().nodesEnded();
    String last = run.lines().get(run.lines().size() - 1);
    assertTrue(last.startsWith("{\"run\":\"20260101-000000-1\",\"nodes\":[\"n1\"]"), last);
  }
}
