package io.remuda.coordinator.actor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.protocol.AgentMessage;
import io.remuda.agent.protocol.Build;
import io.remuda.agent.protocol.CoordinatorMessage;
import io.remuda.agent.protocol.TaskEnd;
import io.remuda.agent.protocol.TaskOrder;
import io.remuda.agent.protocol.TaskPhase;
import io.remuda.agent.protocol.TaskReport;
import io.remuda.agent.protocol.TaskReport.TaskProgress;
import io.remuda.agent.protocol.WireMessage;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.lifecycle.TaskTrigger;
import io.remuda.coordinator.registry.RetryPolicy;
import io.remuda.coordinator.registry.SharingPolicy;
import io.remuda.coordinator.registry.TaskChange;
import io.remuda.coordinator.status.RunStatus;
import io.remuda.coordinator.store.UserRow;
import io.remuda.coordinator.testkit.Messages;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.telemetry.model.DeviceInfo;
import io.remuda.telemetry.model.HostInfo;
import io.remuda.telemetry.model.HostSample;
import io.remuda.telemetry.model.NodeSample;
import io.remuda.telemetry.model.Vendor;
import io.remuda.telemetry.testkit.ManualTicker;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.ConvolutionWorkload;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobSpec;
import io.remuda.worker.job.JobTerms;
import io.remuda.worker.job.PlacementPolicy;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.Workload;
import io.remuda.worker.protocol.ToWorker;
import io.remuda.worker.protocol.WorkerEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.pekko.actor.testkit.typed.Effect;
import org.apache.pekko.actor.testkit.typed.javadsl.BehaviorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.apache.pekko.actor.typed.Behavior;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CoordinatorTest {
  private static final Coordinator.Settings SETTINGS =
      new Coordinator.Settings(
          "run",
          3,
          Duration.ofSeconds(6),
          Duration.ofSeconds(1),
          Duration.ofMillis(500),
          new RetryPolicy(
              20, 3, Duration.ofMillis(100), Duration.ofSeconds(2), Duration.ofSeconds(10)),
          new SharingPolicy(
              Duration.ofMinutes(1), Duration.ofHours(24), Duration.ofMinutes(5), Duration.ZERO));
  private static final AttemptId FIRST = AttemptId.parse("1.0.1");

  private final ManualTicker clock = new ManualTicker();
  private final TestInbox<PostProcessor.Command> postProcessor = TestInbox.create();
  private final TestInbox<EventLog.Command> eventLog = TestInbox.create();
  private final TestInbox<RunStatus> status = TestInbox.create();
  private final TestInbox<ClusterEvent> follower = TestInbox.create();
  private final BehaviorTestKit<Coordinator.Command> coordinator =
      BehaviorTestKit.create(
          Coordinator.create(
              SETTINGS, clock, postProcessor.getRef(), eventLog.getRef(), status.getRef()));

  /** The command arrives, and what the coordinator tells itself then. */
  private void run(Coordinator.Command command) {
    coordinator.run(command);
    while (coordinator.selfInbox().hasMessages()) {
      coordinator.runOne();
    }
  }

  @BeforeEach
  void follow() {
    clock.advance(Duration.ofSeconds(5));
    run(new Coordinator.Follow(follower.getRef()));
  }

  /** A node's connection as the coordinator sees it. */
  private final class Agent {
    private final String node;
    private final TestInbox<AgentSession.Command> session = TestInbox.create();
    private CoordinatorMessage.Desired desired =
        new CoordinatorMessage.Desired(3, 0, false, List.of());

    Agent(String node) {
      this.node = node;
    }

    Agent joins(String boot, TaskReport... tasks) {
      run(new Coordinator.AgentJoined(hello(node, boot, List.of(tasks)), session.getRef()));
      return this;
    }

    Agent says(AgentMessage message) {
      run(new Coordinator.AgentSaid(node, session.getRef(), message));
      return this;
    }

    Agent reports(boolean sampling, TaskReport... tasks) {
      return says(new AgentMessage.Report(revision(), sampling, List.of(tasks)));
    }

    Agent tells(long sequence, WorkerEvent event) {
      return says(new AgentMessage.TaskHappened(FIRST, sequence, event));
    }

    void goes() {
      run(new Coordinator.AgentGone(node, session.getRef(), "closed"));
    }

    /** What came since the last look. */
    List<CoordinatorMessage> news() {
      List<CoordinatorMessage> news = new ArrayList<>();
      for (AgentSession.Command command : session.getAllReceived()) {
        if (command instanceof AgentSession.Send send) {
          news.add(send.message());
          desired = send.message() instanceof CoordinatorMessage.Desired next ? next : desired;
        }
      }
      return news;
    }

    /** The newest order. */
    CoordinatorMessage.Desired desired() {
      news();
      return desired;
    }

    long revision() {
      return desired().revision();
    }

    List<String> orders() {
      CoordinatorMessage.Desired all = desired();
      return Stream.concat(
              all.tasks().stream().map(TaskOrder::attempt),
              all.kept().stream().map(CoordinatorMessage.Kept::attempt))
          .sorted()
          .map(AttemptId::toString)
          .toList();
    }

    List<ToWorker> toFirst() {
      return news().stream()
          .filter(CoordinatorMessage.ToTask.class::isInstance)
          .map(CoordinatorMessage.ToTask.class::cast)
          .map(CoordinatorMessage.ToTask::message)
          .toList();
    }
  }

  private static AgentMessage.Hello hello(String node, String boot, List<TaskReport> tasks) {
    DeviceInfo device =
        new DeviceInfo(new DeviceId("GPU-" + node), 0, Vendor.SIMULATED, "H200", null, 0, null);
    return new AgentMessage.Hello(
        node,
        boot,
        WireMessage.PROTOCOL_VERSION,
        Build.VERSION,
        12,
        new HostInfo(node, "a CPU", 4, 4, 1L << 33, 1L << 33),
        List.of(device),
        "test",
        tasks);
  }

  private static JobSpec job(long id, int size, int gpus) {
    List<Workload> tasks = Collections.nCopies(size, new ConvolutionWorkload(4, 1));
    return new JobSpec(
        new JobId(id),
        new UUID(0, id),
        "job",
        "ann",
        true,
        new ResourceRequest(0, gpus),
        1,
        JobTerms.placed(PlacementPolicy.ROUND_ROBIN),
        tasks);
  }

  private static TaskReport running() {
    return new TaskReport(FIRST, TaskPhase.RUNNING, 4711, null, null);
  }

  private static TaskReport progressing(AttemptId attempt, TaskProgress progress) {
    return new TaskReport(attempt, TaskPhase.RUNNING, 4711, progress, null);
  }

  private static TaskReport ended(Integer code, Integer signal) {
    TaskEnd end = new TaskEnd(TaskEnd.Kind.BY_ITSELF, code, signal, "it ended", null, null, null);
    return new TaskReport(FIRST, TaskPhase.ENDED, 0, null, end);
  }

  private void submit(JobSpec job) {
    run(new Coordinator.Submit(job));
  }

  private void tick() {
    run(Messages.only(Coordinator.Command.class, "Tick"));
  }

  private static NodeSample sample(String node) {
    HostSample host = new HostSample(0.17, 0, 0, null, 4, 1L << 33, 1L << 32, 0L);
    return new NodeSample(node, 1, 0, host, List.of());
  }

  private List<ClusterEvent.Progressed> progress() {
    return follower.getAllReceived().stream()
        .filter(ClusterEvent.Progressed.class::isInstance)
        .map(ClusterEvent.Progressed.class::cast)
        .toList();
  }

  private List<String> moves() {
    return follower.getAllReceived().stream()
        .filter(ClusterEvent.TaskMoved.class::isInstance)
        .map(event -> ((ClusterEvent.TaskMoved) event).change())
        .map(change -> change.attempt() + " " + change.to())
        .toList();
  }

  @Test
  void every_command_is_handled() {
    TaskChange change =
        new TaskChange(
            FIRST, TaskState.WAITING, TaskTrigger.PLACED, TaskState.STARTING, "n1", List.of(), "");
    List<Coordinator.Command> samples =
        Messages.oneOfEach(
            Coordinator.Command.class,
            (Runnable) () -> {},
            new Coordinator.Caller("ann", true),
            new UserRow("ann", 1, "00"),
            job(1, 1, 0),
            Duration.ofSeconds(1),
            FIRST,
            new ToWorker.NoMoreItems(1),
            hello("n1", "boot", List.of()),
            new AgentMessage.Leaving("signal"),
            new ClusterEvent.TaskMoved(change),
            follower.getRef());
    assertEquals(Coordinator.Command.class.getPermittedSubclasses().length, samples.size());
    for (Coordinator.Command sample : samples) {
      run(sample);
      assertFalse(Behavior.isUnhandled(coordinator.returnedBehavior()), sample.toString());
      assertTrue(coordinator.isAlive(), sample.toString());
    }
  }

  @Test
  void it_looks_at_the_clock_once_a_tick() {
    assertTrue(
        coordinator.getAllEffects().stream()
            .filter(Effect.TimerScheduled.class::isInstance)
            .map(effect -> ((Effect.TimerScheduled<?>) effect).delay().toMillis())
            .toList()
            .contains(1000L));
  }

  @Test
  void an_agent_is_welcomed_before_it_is_told_what_to_do() {
    List<CoordinatorMessage> news = new Agent("n1").joins("boot").news();
    assertEquals(new CoordinatorMessage.Welcome(3, 6000, 500), news.get(0));
    assertEquals(new CoordinatorMessage.Desired(3, 1, false, List.of()), news.get(1));
  }

  @Test
  void orders_are_repeated_each_tick_with_the_same_revision() {
    Agent agent = new Agent("n1").joins("boot");
    submit(job(1, 1, 1));
    assertEquals(List.of("1.0.1"), agent.orders());
    CoordinatorMessage.Desired first = agent.desired();
    tick();
    assertEquals(List.of(first), agent.news());
    tick();
    assertEquals(List.of(first), agent.news());
  }

  @Test
  void a_new_order_is_sent_at_once_with_a_higher_revision() {
    Agent agent = new Agent("n1").joins("boot");
    submit(job(1, 1, 0));
    long before = agent.revision();
    submit(job(2, 1, 0));
    assertEquals(List.of("1.0.1", "2.0.1"), agent.orders());
    assertEquals(before + 1, agent.revision());
  }

  @Test
  void revisions_go_on_when_an_agent_comes_back() {
    Agent before = new Agent("n1").joins("boot");
    submit(job(1, 1, 0));
    long revision = before.revision();
    before.goes();
    Agent after = new Agent("n1").joins("boot", running());
    assertEquals(List.of("1.0.1"), after.orders());
    assertTrue(after.revision() > revision, after.revision() + " after " + revision);
  }

  @Test
  void tasks_wait_for_a_node_and_start_when_it_joins() {
    submit(job(1, 2, 1));
    Agent first = new Agent("n1").joins("boot");
    assertEquals(List.of("1.0.1"), first.orders());
    Agent second = new Agent("n2").joins("boot");
    assertEquals(List.of("1.1.1"), second.orders());
  }

  @Test
  void a_device_that_is_given_back_goes_to_the_next_task_at_once() {
    Agent agent = new Agent("n1").joins("boot");
    submit(job(1, 2, 1));
    agent.reports(false, running()).tells(1, new WorkerEvent.PoolDone(0));
    agent.reports(false, ended(0, null));
    assertEquals(List.of("1.1.1"), agent.orders());
  }

  @Test
  void an_interrupted_task_is_ordered_again_after_its_pause() {
    Agent agent = new Agent("n1").joins("boot");
    submit(job(1, 1, 1));
    agent.reports(false, running()).reports(false, ended(null, 9));
    assertEquals(List.of(), agent.orders());
    clock.advance(Duration.ofMillis(150));
    tick();
    assertEquals(List.of("1.0.2"), agent.orders());
    assertEquals(
        List.of("1.0.1 STARTING", "1.0.1 RUNNING", "1.0.1 WAITING", "1.0.2 STARTING"), moves());
  }

  @Test
  void a_node_that_falls_silent_keeps_its_tasks_until_the_lease_has_passed() {
    Agent agent = new Agent("n1").joins("boot");
    new Agent("n2").joins("boot");
    submit(job(1, 1, 1));
    agent.reports(false, running());
    agent.goes();
    clock.advance(Duration.ofSeconds(10));
    tick();
    assertEquals(List.of("1.0.1 STARTING", "1.0.1 RUNNING", "1.0.1 UNKNOWN"), moves());
    clock.advance(Duration.ofSeconds(1));
    tick();
    clock.advance(Duration.ofSeconds(1));
    tick();
    assertEquals(List.of("1.0.1 WAITING", "1.0.2 STARTING"), moves());
  }

  @Test
  void events_are_acknowledged_once_more_when_they_are_repeated_and_told_on_once() {
    Agent agent = new Agent("n1").joins("boot");
    submit(job(1, 1, 0));
    agent.news();
    follower.getAllReceived();
    agent.tells(1, new WorkerEvent.Said("hello")).tells(1, new WorkerEvent.Said("hello"));
    assertEquals(
        List.of(new ToWorker.Acknowledged(1), new ToWorker.Acknowledged(1)), agent.toFirst());
    assertEquals(
        List.of(new ClusterEvent.WorkerTold(FIRST, 1, new WorkerEvent.Said("hello"))),
        follower.getAllReceived());
  }

  @Test
  void an_event_after_a_gap_is_not_acknowledged() {
    Agent agent = new Agent("n1").joins("boot");
    submit(job(1, 1, 0));
    agent.news();
    agent.tells(2, new WorkerEvent.Said("hello"));
    assertEquals(List.of(), agent.toFirst());
  }

  @Test
  void a_grant_is_repeated_each_tick_until_the_next_is_asked_for() {
    Agent agent = new Agent("n1").joins("boot");
    submit(job(1, 1, 0));
    agent.tells(1, new WorkerEvent.ItemsWanted());
    agent.news();
    ToWorker granted = new ToWorker.ItemsGranted(1, 0, 8);
    run(new Coordinator.Answer(FIRST, granted));
    assertEquals(List.of(granted), agent.toFirst());
    tick();
    assertEquals(List.of(granted), agent.toFirst());
    agent.tells(2, new WorkerEvent.ItemsWanted());
    agent.news();
    tick();
    assertEquals(List.of(), agent.toFirst());
  }

  @Test
  void a_grant_ends_with_its_attempt() {
    Agent agent = new Agent("n1").joins("boot");
    submit(job(1, 1, 0));
    agent.tells(1, new WorkerEvent.ItemsWanted());
    run(new Coordinator.Answer(FIRST, new ToWorker.ItemsGranted(1, 0, 8)));
    agent.reports(false, running()).reports(false, ended(null, 9));
    clock.advance(Duration.ofSeconds(1));
    tick();
    agent.news();
    tick();
    assertEquals(List.of(), agent.toFirst());
  }

  @Test
  void how_far_a_task_is_reaches_the_follower() {
    Agent agent = new Agent("n1").joins("boot");
    submit(job(1, 2, 0));
    AttemptId second = AttemptId.parse("1.1.1");
    TaskProgress half = new TaskProgress(5, 10, "epoch 1/2");
    TaskProgress most = new TaskProgress(9, 10, "epoch 1/2");
    agent.reports(false, progressing(FIRST, half), progressing(second, most));
    assertEquals(
        List.of(new ClusterEvent.Progressed(Map.of(FIRST, half, second, most))), progress());
  }

  @Test
  void a_report_without_progress_tells_the_follower_of_none() {
    Agent agent = new Agent("n1").joins("boot");
    submit(job(1, 1, 0));
    agent.reports(false, running());
    assertEquals(List.of(), progress());
  }

  @Test
  void progress_of_a_task_that_is_not_placed_does_not_reach_the_follower() {
    Agent agent = new Agent("n1").joins("boot");
    submit(job(1, 1, 0));
    agent.reports(false, running()).reports(false, ended(null, 9));
    clock.advance(Duration.ofSeconds(1));
    tick();
    assertEquals(List.of("1.0.2"), agent.orders());
    TaskProgress half = new TaskProgress(5, 10, "epoch 1/2");
    AttemptId again = AttemptId.parse("1.0.2");
    AttemptId unknown = AttemptId.parse("7.0.1");
    agent.reports(
        false, progressing(FIRST, half), progressing(unknown, half), progressing(again, half));
    assertEquals(List.of(new ClusterEvent.Progressed(Map.of(again, half))), progress());
    agent.reports(
        false, progressing(unknown, half), new TaskReport(again, TaskPhase.RUNNING, 1, null, null));
    assertEquals(List.of(), progress());
  }

  @Test
  void an_agent_that_was_told_to_end_by_a_signal_is_told_to_the_follower() {
    Agent agent = new Agent("n1").joins("boot");
    follower.getAllReceived();
    agent.says(new AgentMessage.Signalled("SIGTERM"));
    assertEquals(List.of(new ClusterEvent.NodeSignalled("n1")), follower.getAllReceived());
  }

  @Test
  void a_signal_of_a_connection_that_was_replaced_is_not_told() {
    Agent old = new Agent("n1").joins("boot");
    new Agent("n1").joins("boot");
    follower.getAllReceived();
    old.says(new AgentMessage.Signalled("SIGTERM"));
    assertEquals(List.of(), follower.getAllReceived());
  }

  @Test
  void the_status_is_told_with_each_tick_and_only_then() {
    tick();
    assertEquals(List.of(new RunStatus("run", List.of())), status.getAllReceived());
    Agent agent = new Agent("n1").joins("boot");
    submit(job(1, 1, 1));
    agent.reports(false, running());
    assertEquals(List.of(), status.getAllReceived());
    tick();
    tick();
    assertEquals(2, status.getAllReceived().size());
  }

  @Test
  void the_status_names_the_nodes_in_order_their_newest_load_and_who_holds_which_device() {
    Agent second = new Agent("n2").joins("boot");
    new Agent("n1").joins("boot");
    second.says(new AgentMessage.Telemetry(List.of(sample("n2"))));
    submit(job(1, 1, 1));
    tick();
    RunStatus now = status.receiveMessage();
    assertEquals("run", now.run());
    assertEquals(
        List.of("n1 true null 1.0", "n2 true 0.17 null"),
        now.nodes().stream()
            .map(
                node ->
                    node.name()
                        + " "
                        + node.reachable()
                        + " "
                        + node.load1()
                        + " "
                        + node.gpus().get(0).task())
            .toList());
  }

  @Test
  void the_status_says_of_a_silent_node_that_it_does_not_answer_and_what_it_still_holds() {
    Agent agent = new Agent("n1").joins("boot");
    submit(job(1, 1, 1));
    agent.reports(false, running()).goes();
    tick();
    RunStatus.NodeStatus node = status.receiveMessage().nodes().get(0);
    assertFalse(node.reachable());
    assertEquals("1.0", node.gpus().get(0).task());
  }

  @Test
  void a_device_that_is_given_back_is_nobodys_in_the_status() {
    Agent agent = new Agent("n1").joins("boot");
    submit(job(1, 1, 1));
    agent.reports(false, running()).tells(1, new WorkerEvent.PoolDone(0));
    agent.reports(false, ended(0, null));
    tick();
    assertEquals(null, status.receiveMessage().nodes().get(0).gpus().get(0).task());
  }

  @Test
  void telemetry_is_ordered_from_all_and_passed_on() {
    Agent agent = new Agent("n1").joins("boot");
    run(Coordinator.StartTelemetry.INSTANCE);
    assertTrue(agent.desired().sampling());
    agent.says(new AgentMessage.Telemetry(List.of(sample("n1"))));
    assertEquals(
        List.of(new PostProcessor.Samples(List.of(sample("n1")))), postProcessor.getAllReceived());
    assertTrue(new Agent("n2").joins("boot").desired().sampling());
  }

  @Test
  void telemetry_is_closed_once_the_node_says_that_it_has_stopped() {
    Agent agent = new Agent("n1").joins("boot");
    run(Coordinator.StartTelemetry.INSTANCE);
    agent.reports(true);
    run(Coordinator.StopTelemetry.INSTANCE);
    follower.getAllReceived();
    agent.reports(true);
    assertEquals(List.of(), follower.getAllReceived());
    agent.reports(false).reports(false);
    assertEquals(List.of(new ClusterEvent.TelemetryClosed("n1")), follower.getAllReceived());
  }

  @Test
  void a_node_that_came_back_while_telemetry_ended_is_closed_too() {
    new Agent("n1").joins("boot").reports(true).goes();
    run(Coordinator.StartTelemetry.INSTANCE);
    Agent back = new Agent("n1").joins("boot");
    run(Coordinator.StopTelemetry.INSTANCE);
    follower.getAllReceived();
    back.reports(false);
    assertEquals(List.of(new ClusterEvent.TelemetryClosed("n1")), follower.getAllReceived());
  }

  @Test
  void a_report_from_before_the_order_to_stop_closes_nothing() {
    Agent agent = new Agent("n1").joins("boot");
    long before = agent.revision();
    run(Coordinator.StartTelemetry.INSTANCE);
    run(Coordinator.StopTelemetry.INSTANCE);
    follower.getAllReceived();
    agent.says(new AgentMessage.Report(before, false, List.of()));
    assertEquals(List.of(), follower.getAllReceived());
    agent.reports(false);
    assertEquals(List.of(new ClusterEvent.TelemetryClosed("n1")), follower.getAllReceived());
  }

  @Test
  void a_report_from_before_the_start_of_telemetry_closes_nothing() {
    Agent agent = new Agent("n1").joins("boot");
    agent.reports(false);
    run(Coordinator.StartTelemetry.INSTANCE);
    follower.getAllReceived();
    agent.reports(false).reports(true);
    assertEquals(List.of(), follower.getAllReceived());
  }

  @Test
  void every_node_is_told_to_end_and_one_that_joins_late_too() {
    Agent agent = new Agent("n1").joins("boot");
    agent.news();
    run(new Coordinator.EndNodes("the run is over", Duration.ofSeconds(1)));
    CoordinatorMessage end = new CoordinatorMessage.EndNode("the run is over", 1000);
    assertEquals(List.of(end), agent.news());
    Agent late = new Agent("n2").joins("boot");
    assertTrue(late.news().contains(end));
    submit(job(1, 1, 0));
    assertEquals(List.of(), agent.orders());
  }

  @Test
  void another_agent_of_the_same_name_is_turned_away() {
    Agent first = new Agent("n1").joins("boot-1");
    submit(job(1, 1, 0));
    Agent second = new Agent("n1");
    second.joins("boot-2");
    assertEquals(
        List.of(
            new AgentSession.Send(new CoordinatorMessage.NameTaken("n1")),
            AgentSession.Close.INSTANCE),
        second.session.getAllReceived());
    second.says(new AgentMessage.Report(99, false, List.of()));
    second.goes();
    tick();
    assertEquals(List.of("1.0.1"), first.orders());
  }

  @Test
  void a_new_connection_of_the_same_agent_replaces_the_old_one() {
    Agent old = new Agent("n1").joins("boot");
    old.news();
    Agent next = new Agent("n1").joins("boot");
    assertEquals(List.of(AgentSession.Close.INSTANCE), old.session.getAllReceived());
    follower.getAllReceived();
    old.goes();
    assertEquals(List.of(), follower.getAllReceived());
    submit(job(1, 1, 0));
    assertEquals(List.of("1.0.1"), next.orders());
  }

  @Test
  void a_cancelled_job_is_no_longer_ordered() {
    Agent agent = new Agent("n1").joins("boot");
    submit(job(1, 1, 0));
    agent.reports(false, running());
    run(new Coordinator.Cancel(new JobId(1)));
    assertEquals(List.of(), agent.orders());
  }

  @Test
  void nodes_and_tasks_are_written_to_the_event_log() {
    Agent agent = new Agent("n1").joins("boot");
    submit(job(1, 1, 0));
    agent.goes();
    List<String> rows =
        eventLog.getAllReceived().stream().flatMap(CoordinatorTest::describe).toList();
    assertEquals(List.of("n1 joined", "STARTING", "n1 silent", "UNKNOWN"), rows);
  }

  private static Stream<String> describe(EventLog.Command row) {
    if (row instanceof EventLog.NodeEvent node) {
      return Stream.of(node.node() + " " + node.event());
    }
    return Stream.of(((EventLog.TaskEvent) row).change().to().toString());
  }
}
