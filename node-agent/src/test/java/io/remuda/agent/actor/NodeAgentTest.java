package io.remuda.agent.actor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.keeper.SpawnAnswer;
import io.remuda.agent.keeper.TaskView;
import io.remuda.agent.protocol.AgentMessage;
import io.remuda.agent.protocol.CoordinatorMessage;
import io.remuda.agent.protocol.TaskEnd;
import io.remuda.agent.protocol.TaskOrder;
import io.remuda.agent.protocol.TaskPhase;
import io.remuda.agent.protocol.TaskReport;
import io.remuda.agent.settings.AgentSettings;
import io.remuda.agent.settings.Distribution;
import io.remuda.agent.testkit.Messages;
import io.remuda.agent.testkit.TestAgents;
import io.remuda.telemetry.model.HostSample;
import io.remuda.telemetry.model.NodeSample;
import io.remuda.telemetry.source.DeviceSource;
import io.remuda.telemetry.source.DeviceSources;
import io.remuda.telemetry.source.TelemetrySampler;
import io.remuda.telemetry.testkit.FixedHost;
import io.remuda.telemetry.testkit.ManualTicker;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.WorkerOrder;
import io.remuda.worker.protocol.ToWorker;
import io.remuda.worker.protocol.WorkerEvent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pekko.actor.testkit.typed.javadsl.BehaviorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.apache.pekko.actor.typed.Behavior;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodeAgentTest {
  private static final KeeperPort.Kill KILL_FIRST = new KeeperPort.Kill("r1/n1/1.0.1", 1000);

  private static final AttemptId FIRST = AttemptId.parse("1.0.1");
  private static final NodeSample SAMPLE =
      new NodeSample(
          "n1", 1, 0, new HostSample(0.5, 0, 0, null, 4, 1L << 33, 1L << 32, 0L), List.of());

  @TempDir private Path folder;
  private final ManualTicker clock = new ManualTicker();
  private final AtomicInteger refusals = new AtomicInteger();
  private final DeviceSource devices = DeviceSources.simulated("h200:2", "n1");
  private final TelemetrySampler sampler =
      TelemetrySampler.start(devices, new FixedHost(), Duration.ofSeconds(1), "n1");
  private BehaviorTestKit<NodeAgent.Command> agent;

  @AfterEach
  void close() {
    sampler.close();
  }

  private void start(AgentSettings settings) {
    agent =
        BehaviorTestKit.create(
            NodeAgent.create(
                new NodeAgent.Parts(
                    settings,
                    new Distribution(Path.of("/dist")),
                    sampler,
                    new FixedHost().info(),
                    "simulated",
                    Map.of("zone", "a"),
                    clock,
                    refusals::incrementAndGet)));
  }

  private void startLaunched() {
    start(TestAgents.settings(folder));
  }

  /** An agent whose keeper is there with these tasks and whose coordinator has welcomed it. */
  private void startWelcomed(TaskView... held) {
    startLaunched();
    agent.run(new NodeAgent.KeeperReady(List.of(held)));
    settle();
    welcome();
    toCoordinator();
  }

  private void welcome() {
    agent.run(NodeAgent.LinkUp.INSTANCE);
    hears(new CoordinatorMessage.Welcome(1, 6000, 500));
  }

  private void hears(CoordinatorMessage message) {
    agent.run(new NodeAgent.FromCoordinator(message));
  }

  private void wants(long revision, TaskOrder... orders) {
    hears(new CoordinatorMessage.Desired(1, revision, false, List.of(orders)));
  }

  private void tick() {
    agent.run(Messages.only(NodeAgent.Command.class, "Tick"));
  }

  private void changes(String attempt, TaskPhase phase) {
    TaskEnd end =
        phase == TaskPhase.ENDED ? TaskEnd.because(TaskEnd.Kind.BY_ITSELF, "it ended") : null;
    agent.run(
        new NodeAgent.TaskChanged(
            new TaskReport(AttemptId.parse(attempt), phase, 4711, null, end)));
    settle();
  }

  /** What the agent has told itself arrives. */
  private void settle() {
    while (agent.selfInbox().hasMessages()) {
      agent.runOne();
    }
  }

  /** What an earlier agent has left of a built-in worker; without it an attempt is a command. */
  private void makeWorker(String attempt) throws IOException {
    Path task = Files.createDirectories(folder.resolve("tasks").resolve(attempt));
    Files.writeString(task.resolve(WorkerOrder.FILE), "{}");
  }

  private static TaskView view(String key) {
    return new TaskView(key, 4711, 1, TaskView.State.RUNNING, null);
  }

  private List<AgentMessage> toCoordinator() {
    TestInbox<CoordinatorLink.Command> inbox = agent.childInbox("coordinator");
    List<AgentMessage> messages = new ArrayList<>();
    for (CoordinatorLink.Command command : inbox.getAllReceived()) {
      if (command instanceof CoordinatorLink.Send send) {
        messages.add(send.message());
      }
    }
    return messages;
  }

  /** The newest report, or null if there is none since the last look. */
  private AgentMessage.Report report() {
    return toCoordinator().stream()
        .filter(AgentMessage.Report.class::isInstance)
        .map(AgentMessage.Report.class::cast)
        .reduce((one, two) -> two)
        .orElse(null);
  }

  private static List<String> tasks(List<TaskReport> reports) {
    return reports.stream().map(task -> task.attempt() + " " + task.phase()).toList();
  }

  private List<KeeperPort.Command> toKeeper() {
    return agent.<KeeperPort.Command>childInbox("keeper").getAllReceived();
  }

  private List<TelemetryActor.Command> toTelemetry() {
    return agent.<TelemetryActor.Command>childInbox("telemetry").getAllReceived();
  }

  private List<JobSupervisor.Command> toTask(String attempt) {
    return agent.<JobSupervisor.Command>childInbox("task-" + attempt).getAllReceived();
  }

  @Test
  void every_command_is_handled() {
    List<NodeAgent.Command> samples =
        Messages.oneOfEach(
            NodeAgent.Command.class,
            new CoordinatorMessage.NotLeader("10.0.0.2:7000"),
            new TaskReport(FIRST, TaskPhase.RUNNING, 1, null, null),
            view("r1/n1/1.0.1"),
            new SpawnAnswer.Started(4711, 1),
            SAMPLE,
            FIRST,
            new WorkerEvent.Said("hello"));
    assertEquals(NodeAgent.Command.class.getPermittedSubclasses().length, samples.size());
    for (NodeAgent.Command sample : samples) {
      startLaunched();
      agent.run(new NodeAgent.KeeperReady(List.of()));
      agent.run(sample);
      assertFalse(Behavior.isUnhandled(agent.returnedBehavior()), sample.toString());
    }
  }

  @Test
  void every_message_of_the_coordinator_is_handled() {
    startWelcomed();
    List<CoordinatorMessage> samples =
        Messages.oneOfEach(CoordinatorMessage.class, FIRST, new ToWorker.Acknowledged(1));
    for (CoordinatorMessage sample : samples) {
      hears(sample);
      assertFalse(Behavior.isUnhandled(agent.returnedBehavior()), sample.toString());
    }
  }

  @Test
  void it_says_hello_with_what_its_keeper_already_holds() {
    startLaunched();
    agent.run(new NodeAgent.KeeperReady(List.of(view("r1/n1/1.0.1"), view("r0/n1/9.0.1"))));
    agent.run(NodeAgent.LinkUp.INSTANCE);
    AgentMessage.Hello hello = (AgentMessage.Hello) toCoordinator().get(0);
    assertEquals("n1", hello.node());
    assertEquals(2, hello.devices().size());
    assertEquals(List.of("1.0.1 RUNNING"), tasks(hello.tasks()));
  }

  @Test
  void it_says_nothing_but_hello_before_it_is_welcomed() {
    startLaunched();
    agent.run(new NodeAgent.KeeperReady(List.of()));
    agent.run(NodeAgent.LinkUp.INSTANCE);
    tick();
    agent.run(new NodeAgent.TaskHappened(FIRST, 1, new WorkerEvent.Said("hello")));
    assertEquals(1, toCoordinator().size());
    hears(new CoordinatorMessage.Welcome(1, 6000, 500));
    tick();
    assertEquals(List.of(new AgentMessage.Report(0, false, List.of())), toCoordinator());
  }

  @Test
  void an_order_is_started_once_and_reported_with_its_revision() {
    startWelcomed();
    wants(3, TestAgents.order("1.0.1"));
    wants(3, TestAgents.order("1.0.1"));
    AgentMessage.Report report = report();
    assertEquals(3, report.revision());
    assertEquals(List.of("1.0.1 STARTING"), tasks(report.tasks()));
    assertTrue(Files.exists(folder.resolve("tasks/1.0.1/order.json")));
    changes("1.0.1", TaskPhase.RUNNING);
    assertEquals(List.of("1.0.1 RUNNING"), tasks(report().tasks()));
  }

  @Test
  void a_change_is_reported_at_once_and_progress_with_the_next_heartbeat() {
    startWelcomed();
    wants(1, TestAgents.order("1.0.1"));
    changes("1.0.1", TaskPhase.RUNNING);
    toCoordinator();
    changes("1.0.1", TaskPhase.RUNNING);
    assertEquals(List.of(), toCoordinator());
    tick();
    assertEquals(List.of("1.0.1 RUNNING"), tasks(report().tasks()));
  }

  @Test
  void an_idle_node_whose_samples_say_that_it_lives_reports_less_often() {
    startWelcomed();
    hears(new CoordinatorMessage.Desired(1, 1, true, List.of()));
    toCoordinator();
    int reports = 0;
    for (int second = 0; second < 8; second++) {
      agent.run(new NodeAgent.Sampled(SAMPLE));
      tick();
      reports += report() == null ? 0 : 1;
    }
    assertEquals(2, reports);
    tick();
    assertNotNull(report(), "without a sample, as from a driver that hangs, it reports");
    wants(2, TestAgents.order("1.0.1"));
    hears(new CoordinatorMessage.Desired(1, 3, true, List.of(TestAgents.order("1.0.1"))));
    toCoordinator();
    agent.run(new NodeAgent.Sampled(SAMPLE));
    tick();
    assertNotNull(report(), "with a task it reports");
  }

  @Test
  void orders_of_one_seat_are_followed_one_after_the_other() {
    startWelcomed();
    wants(
        1,
        TestAgents.seated("1.0.1", 5),
        TestAgents.seated("1.1.1", 5),
        TestAgents.seated("1.2.1", 6));
    assertEquals(
        List.of("1.0.1 STARTING", "1.1.1 STARTING", "1.2.1 STARTING"), tasks(report().tasks()));
    assertTrue(Files.exists(folder.resolve("tasks/1.0.1")));
    assertFalse(Files.exists(folder.resolve("tasks/1.1.1")));
    assertTrue(Files.exists(folder.resolve("tasks/1.2.1")));
    changes("1.0.1", TaskPhase.RUNNING);
    changes("1.2.1", TaskPhase.ENDED);
    assertFalse(Files.exists(folder.resolve("tasks/1.1.1")));
    changes("1.0.1", TaskPhase.ENDED);
    assertTrue(Files.exists(folder.resolve("tasks/1.1.1")));
  }

  @Test
  void an_order_that_is_taken_back_before_its_turn_never_starts() {
    startWelcomed();
    wants(1, TestAgents.seated("1.0.1", 5), TestAgents.seated("1.1.1", 5));
    wants(2, TestAgents.seated("1.0.1", 5));
    assertEquals(List.of("1.0.1 STARTING"), tasks(report().tasks()));
    changes("1.0.1", TaskPhase.ENDED);
    assertFalse(Files.exists(folder.resolve("tasks/1.1.1")));
  }

  @Test
  void an_order_behind_one_that_takes_long_is_given_back() {
    startWelcomed();
    wants(1, TestAgents.seated("1.0.1", 5), TestAgents.seated("1.1.1", 5));
    changes("1.0.1", TaskPhase.RUNNING);
    clock.advance(Duration.ofSeconds(2));
    tick();
    AgentMessage.Report report = report();
    assertEquals(List.of("1.0.1 RUNNING", "1.1.1 REFUSED"), tasks(report.tasks()));
    assertEquals(TaskEnd.Kind.NOT_BEGUN, report.tasks().get(1).end().kind());
  }

  @Test
  void a_task_that_was_there_before_this_agent_has_its_seat() {
    startWelcomed(view("r1/n1/1.0.1"));
    hears(
        new CoordinatorMessage.Desired(
            1,
            2,
            false,
            List.of(TestAgents.seated("1.1.1", 5)),
            List.of(CoordinatorMessage.Kept.of(TestAgents.seated("1.0.1", 5)))));
    assertFalse(Files.exists(folder.resolve("tasks/1.1.1")));
    changes("1.0.1", TaskPhase.ENDED);
    assertTrue(Files.exists(folder.resolve("tasks/1.1.1")));
  }

  @Test
  void with_much_to_do_several_changes_are_told_together() {
    startWelcomed();
    TaskOrder[] orders = new TaskOrder[20];
    for (int index = 0; index < orders.length; index++) {
      orders[index] = TestAgents.seated("1." + index + ".1", 5);
    }
    wants(1, orders);
    toCoordinator();
    changes("1.0.1", TaskPhase.RUNNING);
    assertEquals(List.of(), toCoordinator());
    agent.run(Messages.only(NodeAgent.Command.class, "ReportDue"));
    assertEquals("1.0.1 RUNNING", tasks(report().tasks()).get(0));
  }

  @Test
  void an_older_order_changes_nothing() {
    startWelcomed();
    wants(5, TestAgents.order("1.0.1"));
    wants(4);
    hears(new CoordinatorMessage.Desired(0, 9, false, List.of()));
    assertEquals(List.of(), toTask("1.0.1"));
    assertEquals(5, report().revision());
  }

  @Test
  void what_is_no_longer_wanted_is_ended_and_then_forgotten() {
    startWelcomed();
    wants(1, TestAgents.order("1.0.1"));
    changes("1.0.1", TaskPhase.RUNNING);
    wants(2);
    assertEquals(List.of(new JobSupervisor.End("no longer wanted")), toTask("1.0.1"));
    toKeeper();
    changes("1.0.1", TaskPhase.ENDED);
    assertEquals(List.of(new KeeperPort.Forget(List.of("r1/n1/1.0.1"))), toKeeper());
    tick();
    assertEquals(List.of(), report().tasks());
  }

  @Test
  void an_end_is_reported_until_the_coordinator_no_longer_asks() {
    startWelcomed();
    wants(1, TestAgents.order("1.0.1"));
    changes("1.0.1", TaskPhase.ENDED);
    tick();
    assertEquals(List.of("1.0.1 ENDED"), tasks(report().tasks()));
    wants(1, TestAgents.order("1.0.1"));
    tick();
    assertEquals(List.of("1.0.1 ENDED"), tasks(report().tasks()));
  }

  @Test
  void an_adopted_task_that_is_wanted_goes_on() {
    startWelcomed(view("r1/n1/1.0.1"));
    wants(1, TestAgents.order("1.0.1"));
    assertFalse(toKeeper().contains(KILL_FIRST));
    assertEquals(List.of("1.0.1 RUNNING"), tasks(report().tasks()));
  }

  @Test
  void an_adopted_task_that_nobody_wants_is_ended_once_the_coordinator_has_spoken() {
    startWelcomed(view("r1/n1/1.0.1"));
    wants(1);
    assertTrue(toKeeper().contains(KILL_FIRST));
    assertEquals(List.of("1.0.1 ENDING"), tasks(report().tasks()));
  }

  @Test
  void what_may_have_run_under_a_lost_keeper_is_over() throws Exception {
    Path task = Files.createDirectories(folder.resolve("tasks/1.0.1"));
    Files.createFile(task.resolve("out"));
    startWelcomed();
    wants(1, TestAgents.order("1.0.1"));
    assertEquals(List.of("1.0.1 ENDED"), tasks(report().tasks()));
  }

  @Test
  void what_an_earlier_agent_has_prepared_and_not_begun_is_started_when_its_order_comes_again()
      throws Exception {
    Files.createDirectories(folder.resolve("tasks/1.0.1/scratch"));
    startWelcomed();
    wants(1, TestAgents.order("1.0.1"));
    assertEquals(List.of("1.0.1 STARTING"), tasks(report().tasks()));
  }

  @Test
  void a_new_attempt_waits_for_the_end_of_the_one_before_it() {
    startWelcomed(view("r1/n1/1.0.1"));
    wants(1, TestAgents.order("1.0.2"));
    assertEquals(List.of("1.0.1 ENDING"), tasks(report().tasks()));
    changes("1.0.1", TaskPhase.ENDED);
    tick();
    assertEquals(List.of("1.0.2 STARTING"), tasks(report().tasks()));
  }

  @Test
  void without_a_keeper_nothing_is_started_and_no_revision_counts_as_followed() {
    startWelcomed();
    wants(1);
    agent.run(new NodeAgent.KeeperLost("killed"));
    wants(2, TestAgents.order("1.0.1"));
    tick();
    AgentMessage.Report report = report();
    assertEquals(List.of(), report.tasks());
    assertEquals(1, report.revision(), "an order that was not followed is not missing");
    agent.run(new NodeAgent.KeeperReady(List.of()));
    tick();
    report = report();
    assertEquals(List.of("1.0.1 STARTING"), tasks(report.tasks()));
    assertEquals(2, report.revision());
  }

  @Test
  void a_lost_keeper_is_told_to_a_worker_and_is_the_end_of_a_command() throws Exception {
    makeWorker("1.0.1");
    startWelcomed(view("r1/n1/1.0.1"), view("r1/n1/2.0.1"));
    wants(1, TestAgents.order("1.0.1"), TestAgents.order("2.0.1"));
    agent.run(new NodeAgent.KeeperLost("killed"));
    settle();
    assertEquals(List.of(new JobSupervisor.KeeperGone("killed")), toTask("1.0.1"));
    assertEquals(List.of("1.0.1 RUNNING", "2.0.1 ENDED"), tasks(report().tasks()));
  }

  @Test
  void an_order_that_cannot_be_prepared_is_refused_with_the_cause() throws Exception {
    startWelcomed();
    Files.createFile(folder.resolve("tasks"));
    wants(1, TestAgents.order("1.0.1"));
    TaskReport task = report().tasks().get(0);
    assertEquals(TaskPhase.REFUSED, task.phase());
    assertTrue(task.end().cause().contains("tasks/1.0.1"), task.end().cause());
  }

  @Test
  void telemetry_is_opened_with_the_coordinators_period_and_closed() {
    startWelcomed();
    toTelemetry();
    hears(new CoordinatorMessage.Desired(1, 1, true, List.of()));
    hears(new CoordinatorMessage.Desired(1, 1, true, List.of()));
    assertEquals(List.of(new TelemetryActor.Open(Duration.ofMillis(500))), toTelemetry());
    agent.run(new NodeAgent.Sampled(SAMPLE));
    assertTrue(toCoordinator().contains(new AgentMessage.Telemetry(List.of(SAMPLE))));
    hears(new CoordinatorMessage.Desired(1, 2, false, List.of()));
    assertEquals(List.of(TelemetryActor.Close.INSTANCE), toTelemetry());
    agent.run(new NodeAgent.Sampled(SAMPLE));
    List<AgentMessage> said = toCoordinator();
    assertEquals(List.of(new AgentMessage.Report(2, false, List.of())), said);
  }

  @Test
  void messages_pass_both_ways_between_a_worker_and_the_coordinator() throws Exception {
    makeWorker("1.0.1");
    startWelcomed(view("r1/n1/1.0.1"));
    wants(1, TestAgents.order("1.0.1"));
    toCoordinator();
    agent.run(new NodeAgent.TaskHappened(FIRST, 7, new WorkerEvent.Said("hello")));
    assertEquals(
        List.of(new AgentMessage.TaskHappened(FIRST, 7, new WorkerEvent.Said("hello"))),
        toCoordinator());
    hears(new CoordinatorMessage.ToTask(FIRST, new ToWorker.Acknowledged(7)));
    assertEquals(List.of(new JobSupervisor.Tell(new ToWorker.Acknowledged(7))), toTask("1.0.1"));
    hears(new CoordinatorMessage.ToTask(AttemptId.parse("9.9.9"), new ToWorker.Acknowledged(1)));
    assertFalse(Behavior.isUnhandled(agent.returnedBehavior()));
  }

  @Test
  void the_keepers_lease_is_what_is_left_of_the_agents() {
    startWelcomed(view("r1/n1/1.0.1"));
    wants(1, TestAgents.order("1.0.1"));
    toKeeper();
    clock.advance(Duration.ofSeconds(2));
    tick();
    assertEquals(List.of(new KeeperPort.Renew(List.of("r1/n1/1.0.1"), 4000)), toKeeper());
  }

  @Test
  void the_keeper_is_asked_with_every_tick_for_tasks_without_a_lease_too() {
    startWelcomed(view("r1/n1/1.0.1"));
    TaskOrder order = TestAgents.order("1.0.1");
    wants(
        1,
        new TaskOrder(
            order.attempt(),
            order.user(),
            false,
            0,
            order.workload(),
            order.devices(),
            order.threads(),
            order.cuda(),
            order.job(),
            1));
    toKeeper();
    tick();
    assertEquals(List.of(new KeeperPort.Renew(List.of("r1/n1/1.0.1"), 0)), toKeeper());
  }

  @Test
  void a_launched_agent_ends_when_the_lease_has_passed() {
    startWelcomed();
    clock.advance(Duration.ofMillis(5900));
    tick();
    assertFalse(toKeeper().contains(new KeeperPort.Shutdown(0)));
    clock.advance(Duration.ofMillis(100));
    tick();
    assertTrue(toKeeper().contains(new KeeperPort.Shutdown(0)));
  }

  @Test
  void every_order_renews_the_lease() {
    startWelcomed();
    clock.advance(Duration.ofSeconds(5));
    wants(1);
    clock.advance(Duration.ofSeconds(5));
    tick();
    assertFalse(toKeeper().contains(new KeeperPort.Shutdown(0)));
  }

  @Test
  void an_agent_that_stays_ends_tied_tasks_when_the_lease_has_passed() {
    AgentSettings launched = TestAgents.settings(folder);
    start(
        new AgentSettings(
            "n1",
            "r1",
            launched.access(),
            launched.folder(),
            launched.cache(),
            AgentSettings.Tie.NONE,
            launched.timing()));
    agent.run(new NodeAgent.KeeperReady(List.of()));
    welcome();
    wants(1, TestAgents.order("1.0.1"));
    changes("1.0.1", TaskPhase.RUNNING);
    clock.advance(Duration.ofSeconds(6));
    tick();
    assertTrue(toTask("1.0.1").contains(new JobSupervisor.End("no longer wanted")));
    assertTrue(agent.isAlive());
  }

  @Test
  void it_ends_its_keeper_first_and_then_itself() {
    startWelcomed();
    hears(new CoordinatorMessage.EndNode("the run is over", 1000));
    assertTrue(toKeeper().contains(new KeeperPort.Shutdown(1000)));
    assertTrue(toCoordinator().contains(new AgentMessage.Leaving("the run is over")));
    assertTrue(agent.isAlive());
    wants(1, TestAgents.order("1.0.1"));
    assertFalse(Files.exists(folder.resolve("tasks")), "nothing is started at the end");
    agent.run(NodeAgent.KeeperEnded.INSTANCE);
    assertFalse(agent.isAlive());
  }

  @Test
  void it_waits_for_its_keeper_no_longer_than_a_while() {
    startWelcomed();
    agent.run(new NodeAgent.Leave("signal"));
    agent.run(Messages.only(NodeAgent.Command.class, "GiveUp"));
    assertFalse(agent.isAlive());
  }

  @Test
  void a_refused_agent_says_so_and_ends() {
    startWelcomed();
    hears(new CoordinatorMessage.Refused("agent is build 0.0.9"));
    assertEquals(1, refusals.get());
    assertTrue(toKeeper().contains(new KeeperPort.Shutdown(1000)));
  }
}
