package io.remuda.coordinator.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.protocol.AgentMessage;
import io.remuda.agent.protocol.CoordinatorMessage;
import io.remuda.agent.protocol.StateFileLineage;
import io.remuda.agent.protocol.TaskEnd;
import io.remuda.agent.protocol.TaskPhase;
import io.remuda.agent.protocol.TaskReport;
import io.remuda.coordinator.actor.MemoryLog;
import io.remuda.coordinator.api.ClusterEvent;
import io.remuda.coordinator.api.CoordinatorCommand;
import io.remuda.coordinator.api.MessageToAgentSession;
import io.remuda.coordinator.api.NewJob;
import io.remuda.coordinator.commit.Decision;
import io.remuda.coordinator.commit.Effect;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.lifecycle.TaskTrigger;
import io.remuda.coordinator.node.AgentConnections;
import io.remuda.coordinator.registry.NodeRegistry;
import io.remuda.coordinator.registry.TaskRegistry;
import io.remuda.coordinator.registry.policy.LiveJobLimits;
import io.remuda.coordinator.registry.policy.RetryPolicy;
import io.remuda.coordinator.registry.task.TaskChange;
import io.remuda.coordinator.schedule.model.NodePause;
import io.remuda.coordinator.settings.NoticeSettings;
import io.remuda.coordinator.testkit.SeenOrders;
import io.remuda.telemetry.model.HostInfo;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.CommandWorkload;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobTerms;
import io.remuda.worker.job.PlacementPolicy;
import io.remuda.worker.job.ResourceRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.junit.jupiter.api.Test;

/** What follows, by value, when nodes join, report and fall silent. */
class NodeMembershipTest {
  private static final AttemptId FIRST = AttemptId.parse("1.0.1");
  private static final long NOW = 1;

  private final NodeRegistry nodes = new NodeRegistry();
  private final TaskRegistry tasks =
      new TaskRegistry(new RetryPolicy(1, 1, Duration.ZERO, Duration.ZERO, Duration.ofSeconds(10)));
  private final MemoryLog log = new MemoryLog();
  private final LiveJobLimiter load = new LiveJobLimiter(LiveJobLimits.NONE);
  private final AgentConnections connections =
      new AgentConnections(new CoordinatorMessage.Welcome(1, 1000, 1000), tasks);
  private final JobAdmission admission =
      new JobAdmission(
          tasks,
          nodes,
          log.durable().jobRows(),
          log,
          load,
          new EndedJobEviction(tasks, load),
          0,
          NoticeSettings.USUAL);
  private final NodeMembership membership =
      new NodeMembership(
          nodes,
          tasks,
          connections,
          StateFileLineage.ALL,
          new DeviceLeaseDecisions(tasks, admission, connections));
  private final TestInbox<MessageToAgentSession> session = TestInbox.create();

  private static AgentMessage.Hello hello(String boot, TaskReport... reports) {
    HostInfo host = new HostInfo("n1", "a CPU", 4, 4, 1L << 33, 1L << 33);
    return new AgentMessage.Hello(
        "n1", boot, 1, "dev", 12, host, List.of(), "test", List.of(reports));
  }

  private Decision joins(String boot, TaskReport... reports) {
    return membership.joined(
        new CoordinatorCommand.AgentJoined(hello(boot, reports), session.getRef(), "127.0.0.1"),
        NOW);
  }

  private Decision reports(TaskReport... reports) {
    return membership.reported("n1", new AgentMessage.Report(1, false, List.of(reports)), NOW);
  }

  private static TaskReport report(TaskPhase phase) {
    return new TaskReport(FIRST, phase, 4711, null, null);
  }

  private static TaskReport exited(int code) {
    return new TaskReport(
        FIRST,
        TaskPhase.ENDED,
        0,
        null,
        new TaskEnd(TaskEnd.Kind.BY_ITSELF, code, null, "exit code " + code, null, null, null));
  }

  /** Job 1 has one task, which has its place on n1. */
  private void placed() {
    NewJob job =
        new NewJob(
            "job",
            "ann",
            new ResourceRequest(1, 0),
            JobTerms.placed(PlacementPolicy.PACK),
            new CommandWorkload(List.of("/bin/true"), Map.of(), "/", 022),
            1,
            false,
            null,
            List.of());
    tasks.submit(job.numbered(new JobId(1), List.of()), NOW);
    SeenOrders.schedule(tasks, nodes, NOW);
  }

  private static TaskChange change(
      TaskState from, TaskTrigger trigger, TaskState to, String cause) {
    return new TaskChange(FIRST, from, trigger, to, "n1", List.of(), cause);
  }

  @Test
  void a_node_that_joins_is_told_what_to_run_and_tasks_may_be_placed() {
    Decision first = joins("boot");
    NodeRegistry.Node node = nodes.find("n1").orElseThrow();
    assertEquals(
        Decision.atOnce(List.of(new Effect.NodeJoined(node, false), new Effect.SendDesired("n1")))
            .placing(),
        first);
    Decision again = joins("boot");
    assertEquals(
        new Effect.NodeJoined(nodes.find("n1").orElseThrow(), true), again.atOnce().get(0));
  }

  @Test
  void a_second_agent_of_the_same_name_is_told_so_and_closed() {
    joins("boot");
    TestInbox<MessageToAgentSession> other = TestInbox.create();
    assertEquals(
        Decision.atOnce(
            List.of(
                new Effect.Tell<>(
                    other.getRef(),
                    new MessageToAgentSession.Send(new CoordinatorMessage.NameTaken("n1"))),
                new Effect.Tell<>(other.getRef(), MessageToAgentSession.Close.INSTANCE),
                new Effect.TellFollower(new ClusterEvent.NameTaken("n1")))),
        membership.joined(
            new CoordinatorCommand.AgentJoined(hello("another boot"), other.getRef(), "127.0.0.1"),
            NOW));
  }

  @Test
  void a_report_that_a_task_runs_is_its_change() {
    joins("boot");
    placed();
    assertEquals(Decision.NONE, reports(report(TaskPhase.STARTING)), "a placed task starts");
    assertEquals(
        Decision.of(
            List.of(change(TaskState.STARTING, TaskTrigger.SEEN_RUNNING, TaskState.RUNNING, null))),
        reports(report(TaskPhase.RUNNING)));
  }

  @Test
  void a_report_that_says_nothing_new_is_no_decision() {
    joins("boot");
    placed();
    reports(report(TaskPhase.RUNNING));
    assertEquals(Decision.NONE, reports(report(TaskPhase.RUNNING)));
    assertEquals(false, reports(report(TaskPhase.RUNNING)).waitsForCommit());
  }

  @Test
  void the_end_of_a_task_makes_place_for_others() {
    joins("boot");
    placed();
    reports(report(TaskPhase.RUNNING));
    Decision ended = reports(exited(0));
    assertEquals(TaskState.SUCCEEDED, ended.changes().get(0).to());
    assertEquals(1, ended.changes().size());
    assertTrue(ended.mayPlace() && ended.waitsForCommit());
    assertEquals(Decision.NONE, reports(exited(0)), "a repeated report");
  }

  @Test
  void progress_is_told_at_once_and_changes_nothing() {
    joins("boot");
    placed();
    reports(report(TaskPhase.RUNNING));
    TaskReport.TaskProgress half = new TaskReport.TaskProgress(5, 10, "train");
    TaskReport progress = new TaskReport(FIRST, TaskPhase.RUNNING, 4711, half, null);
    assertEquals(
        Decision.atOnce(
            List.of(new Effect.TellFollower(new ClusterEvent.Progressed(Map.of(FIRST, half))))),
        reports(progress));
    TaskReport unknown =
        new TaskReport(AttemptId.parse("9.0.1"), TaskPhase.RUNNING, 4711, half, null);
    assertEquals(Decision.NONE, reports(report(TaskPhase.RUNNING), unknown));
  }

  @Test
  void a_task_of_another_state_file_that_comes_or_goes_is_a_reason_to_place() {
    StateFileLineage own = new StateFileLineage(List.of(new StateFileLineage.Origin("", 8)));
    NodeMembership ofOwn =
        new NodeMembership(
            nodes,
            tasks,
            connections,
            own,
            new DeviceLeaseDecisions(tasks, admission, connections));
    joins("boot");
    TaskReport foreign =
        new TaskReport(AttemptId.parse("9.0.1"), TaskPhase.RUNNING, 4711, null, null)
            .with(new TaskReport.Facts("job", "bob", 1000, 0, List.of()));
    AgentMessage.Report there = new AgentMessage.Report(1, false, List.of(foreign));
    AgentMessage.Report gone = new AgentMessage.Report(1, false, List.of());
    assertEquals(Decision.NONE.placing(), ofOwn.reported("n1", there, NOW));
    assertEquals(Decision.NONE, ofOwn.reported("n1", there, NOW), "nothing is new");
    assertEquals(Decision.NONE.placing(), ofOwn.reported("n1", gone, NOW));
  }

  @Test
  void a_silent_node_leaves_its_tasks_unknown_until_it_reports_them_again() {
    joins("boot");
    placed();
    reports(report(TaskPhase.RUNNING));
    Decision gone =
        membership.gone(
            new CoordinatorCommand.AgentGone("n1", session.getRef(), "the link was cut"), NOW);
    assertEquals(List.of(new Effect.NodeSilent("n1", "the link was cut")), gone.atOnce());
    assertEquals(TaskState.UNKNOWN, gone.changes().get(0).to());
    assertEquals(1, gone.changes().size());
    Decision back = joins("boot", report(TaskPhase.RUNNING));
    assertEquals(TaskState.RUNNING, back.changes().get(0).to());
  }

  @Test
  void the_end_of_a_connection_that_was_replaced_is_no_matter() {
    joins("boot");
    TestInbox<MessageToAgentSession> earlier = TestInbox.create();
    assertEquals(
        Decision.NONE,
        membership.gone(new CoordinatorCommand.AgentGone("n1", earlier.getRef(), "cut"), NOW));
    assertEquals(
        Decision.NONE,
        membership.gone(new CoordinatorCommand.AgentGone("n9", session.getRef(), "cut"), NOW));
  }

  @Test
  void a_standstill_is_told_once_with_its_begin_and_once_when_it_is_over() {
    joins("boot");
    NodePause.Standstill still = new NodePause.Standstill("the disk", 95_000);
    assertEquals(
        Decision.atOnce(List.of(new Effect.NodeStandsStill("n1", still))).placing(),
        membership.standstill("n1", new AgentMessage.Standstill("the disk", 5_000), 100_000));
    assertEquals(
        Decision.atOnce(List.of(new Effect.NodeStandsStill("n1", null))).placing(),
        membership.standstill("n1", new AgentMessage.Standstill("", 0), 100_000));
    assertEquals(
        Decision.NONE, membership.standstill("n1", new AgentMessage.Standstill("", 0), 100_000));
  }

  @Test
  void other_devices_are_a_reason_to_place_and_no_samples_are_none() {
    joins("boot");
    assertEquals(
        Decision.NONE.placing(), membership.devices("n1", new AgentMessage.Devices(List.of())));
    assertEquals(Decision.NONE, membership.sampled(List.of()));
  }

  @Test
  void a_node_is_forgotten_after_a_day_of_silence_unless_a_task_may_run_there() {
    joins("boot");
    membership.gone(new CoordinatorCommand.AgentGone("n1", session.getRef(), "cut"), NOW);
    long day = Duration.ofDays(1).toNanos();
    membership.tick(NOW + day - 1);
    assertTrue(nodes.find("n1").isPresent());
    membership.tick(NOW + day);
    assertTrue(nodes.find("n1").isEmpty());
    joins("boot");
    placed();
    membership.gone(new CoordinatorCommand.AgentGone("n1", session.getRef(), "cut"), NOW);
    membership.tick(NOW + 2 * day);
    assertTrue(nodes.find("n1").isPresent());
  }
}
