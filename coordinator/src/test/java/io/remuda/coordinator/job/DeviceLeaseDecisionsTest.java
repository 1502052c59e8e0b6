package io.remuda.coordinator.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.protocol.CoordinatorMessage;
import io.remuda.agent.protocol.TaskEnd;
import io.remuda.agent.protocol.TaskPhase;
import io.remuda.agent.protocol.TaskReport;
import io.remuda.coordinator.actor.MemoryLog;
import io.remuda.coordinator.api.CoordinatorCommand;
import io.remuda.coordinator.api.LeaseAsk;
import io.remuda.coordinator.api.LeaseView;
import io.remuda.coordinator.api.NewJob;
import io.remuda.coordinator.api.Rejection;
import io.remuda.coordinator.api.Reply;
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
import io.remuda.coordinator.settings.NoticeSettings;
import io.remuda.coordinator.testkit.SeenOrders;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.telemetry.model.DeviceInfo;
import io.remuda.telemetry.model.DeviceVendor;
import io.remuda.telemetry.model.HostInfo;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.CommandWorkload;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobTerms;
import io.remuda.worker.job.LeasedProgramWorkload;
import io.remuda.worker.job.PlacementPolicy;
import io.remuda.worker.job.ResourceRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Decisions on leases by value; node n1 has the device A of 100 bytes. */
class DeviceLeaseDecisionsTest {
  private static final JobId LEASE = new JobId(1);
  private static final AttemptId FIRST = AttemptId.parse("1.0.1");
  private static final String SPACE = "pid:[1]";
  private static final long PATIENCE = 20_000;
  private static final CoordinatorCommand.Caller ANN = new CoordinatorCommand.Caller("ann", false);
  private static final CoordinatorCommand.Caller BOB = new CoordinatorCommand.Caller("bob", false);
  private static final CoordinatorCommand.Caller ROOT = new CoordinatorCommand.Caller("ops", true);

  private final NodeRegistry nodes = new NodeRegistry();
  private final TaskRegistry tasks =
      new TaskRegistry(new RetryPolicy(1, 1, Duration.ZERO, Duration.ZERO, Duration.ofSeconds(10)));
  private final MemoryLog log = new MemoryLog();
  private final LiveJobLimiter load = new LiveJobLimiter(LiveJobLimits.NONE);
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
  private final DeviceLeaseDecisions leases =
      new DeviceLeaseDecisions(
          tasks,
          admission,
          new AgentConnections(new CoordinatorMessage.Welcome(1, 1000, 1000), tasks));
  private final TestInbox<Reply<LeaseView>> answers = TestInbox.create();
  private long now = 1;

  @BeforeEach
  void oneNode() {
    DeviceInfo device =
        new DeviceInfo(new DeviceId("A"), 0, DeviceVendor.SIMULATED, "H200", null, 100L, null)
            .withOrdinal(3);
    nodes.joined(
        "n1", new HostInfo("n1", "a CPU", 4, 4, 1L << 33, 1L << 33), List.of(device), "test");
    leases.joined("n1", SPACE);
  }

  private Decision ask(int gpus, String space, long patienceMillis) {
    LeaseAsk ask =
        new LeaseAsk(
            "ann",
            "train",
            new ResourceRequest(0, gpus),
            PlacementPolicy.PACK,
            space,
            new LeasedProgramWorkload(4711, 1, "python3"),
            null);
    return leases.ask(new CoordinatorCommand.AskLease(ask, patienceMillis, answers.getRef()), now);
  }

  private Decision giveBack(int attempt, CoordinatorCommand.Caller caller) {
    return leases.giveBack(
        new CoordinatorCommand.GiveLeaseBack(
            LEASE, attempt, true, null, false, caller, PATIENCE, answers.getRef()),
        now);
  }

  private Decision look(CoordinatorCommand.Caller caller, long patienceMillis) {
    return leases.look(
        new CoordinatorCommand.LookAtLease(LEASE, caller, patienceMillis, answers.getRef()), now);
  }

  private void place() {
    SeenOrders.schedule(tasks, nodes, now);
  }

  private List<TaskChange> reported(TaskPhase phase, TaskEnd end) {
    return tasks.reported("n1", List.of(new TaskReport(FIRST, phase, 4711, null, end)), 1, now);
  }

  /** The lease is asked for and granted. */
  private void granted() {
    ask(1, SPACE, 0);
    place();
    leases.granted(reported(TaskPhase.RUNNING, null), now);
  }

  private Effect tell(LeaseView view) {
    return new Effect.Tell<>(answers.getRef(), Reply.of(view));
  }

  private static LeaseView unplaced(TaskState state, int attempt, String cause, String... reasons) {
    return new LeaseView(
        LEASE,
        "train",
        state,
        attempt,
        null,
        List.of(),
        0,
        false,
        List.of(reasons),
        cause,
        Map.of());
  }

  private static LeaseView onA(TaskState state) {
    return new LeaseView(
        LEASE,
        "train",
        state,
        1,
        "n1",
        List.of(new DeviceId("A")),
        0,
        false,
        List.of(),
        null,
        Map.of("CUDA_VISIBLE_DEVICES", "3", "CUDA_DEVICE_ORDER", "PCI_BUS_ID"));
  }

  private static CoordinatorMessage.GiveBack back() {
    return new CoordinatorMessage.GiveBack(FIRST, true, null, false);
  }

  private static Rejection refusal(Decision decision) {
    assertEquals(1, decision.atOnce().size());
    Object answer = ((Effect.Tell<?>) decision.atOnce().get(0)).message();
    assertEquals(false, decision.waitsForCommit());
    return assertInstanceOf(Reply.No.class, answer).rejection();
  }

  @Test
  void a_request_is_rows_and_a_placement_and_its_answer_waits() {
    Decision decision = ask(1, SPACE, PATIENCE);
    assertEquals(Decision.ofRows(decision.rows()).placing(), decision);
    assertEquals(
        List.of("JobAdded", "Happened"),
        decision.rows().stream().map(row -> row.getClass().getSimpleName()).toList());
    assertEquals(
        Map.of("node", "n1"), tasks.job(LEASE).orElseThrow().request().labels(), "on its machine");
  }

  @Test
  void without_patience_the_answer_is_that_it_waits() {
    Decision decision = ask(1, SPACE, 0);
    assertEquals(List.of(tell(unplaced(TaskState.WAITING, 0, null))), decision.atOnce());
  }

  @Test
  void a_program_on_a_machine_without_a_node_is_refused() {
    assertEquals(
        new Rejection(
            Rejection.Code.NEVER_FITS,
            "no node of this server is on this machine",
            "start one here: remuda agent --join FILE"),
        refusal(ask(1, "pid:[2]", PATIENCE)));
    assertEquals(Rejection.Code.NEVER_FITS, refusal(ask(1, "", PATIENCE)).code());
    assertEquals(List.of(), tasks.jobs());
  }

  @Test
  void an_unknown_process_space_is_no_machine_though_a_node_does_not_know_its_own_either() {
    leases.joined("n1", "");
    assertEquals(Rejection.Code.NEVER_FITS, refusal(ask(1, "", PATIENCE)).code());
  }

  @Test
  void what_the_nodes_of_the_machine_never_have_is_refused_though_others_do() {
    nodes.joined(
        "n2",
        new HostInfo("n2", "a CPU", 4, 4, 1L << 33, 1L << 33),
        List.of(
            new DeviceInfo(new DeviceId("B"), 0, DeviceVendor.SIMULATED, "H200", null, 100L, null),
            new DeviceInfo(new DeviceId("C"), 1, DeviceVendor.SIMULATED, "H200", null, 100L, null)),
        "test");
    leases.joined("n2", "pid:[2]");
    assertEquals(
        new Rejection(
            Rejection.Code.NEVER_FITS,
            "no node can ever run this: n1: has 1 GPU, wanted 2",
            "ask for less, or let a larger node join first"),
        refusal(ask(2, SPACE, PATIENCE)));
    assertTrue(ask(2, "pid:[2]", PATIENCE).mayPlace());
  }

  @Test
  void a_grant_is_told_to_each_client_once_it_runs() {
    ask(1, SPACE, PATIENCE);
    look(ANN, PATIENCE);
    place();
    assertEquals(List.of(), leases.granted(reported(TaskPhase.STARTING, null), now));
    List<Effect> effects = leases.granted(reported(TaskPhase.RUNNING, null), now);
    Effect told = tell(onA(TaskState.RUNNING));
    assertEquals(List.of(told, told), effects);
    assertEquals(List.of(), leases.granted(reported(TaskPhase.RUNNING, null), now));
  }

  @Test
  void who_looks_at_a_granted_lease_is_answered_at_once() {
    granted();
    Decision told = Decision.atOnce(List.of(tell(onA(TaskState.RUNNING))));
    assertEquals(told, look(ANN, PATIENCE));
    assertEquals(told, look(ROOT, PATIENCE));
  }

  @Test
  void a_lease_of_another_user_and_one_that_is_none_are_refused() {
    granted();
    Rejection notYours = Rejection.of(Rejection.Code.NOT_YOURS, "lease 1 belongs to ann");
    assertEquals(notYours, refusal(look(BOB, PATIENCE)));
    assertEquals(notYours, refusal(giveBack(1, BOB)));
    tasks.submit(
        new NewJob(
                "job",
                "ann",
                new ResourceRequest(1, 0),
                JobTerms.placed(PlacementPolicy.PACK),
                new CommandWorkload(List.of("/bin/true"), Map.of(), "/", 022),
                1,
                false,
                null,
                List.of())
            .numbered(new JobId(2), List.of()),
        now);
    CoordinatorCommand.LookAtLease command =
        new CoordinatorCommand.LookAtLease(new JobId(2), ANN, 0, answers.getRef());
    assertEquals(
        Rejection.of(Rejection.Code.NOT_FOUND, "lease 2 is over, or there is none"),
        refusal(leases.look(command, now)));
  }

  @Test
  void a_return_is_sent_to_the_node_and_answered_when_the_attempt_has_ended() {
    granted();
    Decision sent = Decision.atOnce(List.of(new Effect.SendToNode("n1", back())));
    assertEquals(sent, giveBack(1, ANN));
    TaskEnd end = new TaskEnd(TaskEnd.Kind.BY_ITSELF, 0, null, "exit code 0", null, null, null);
    List<Effect> effects = leases.moved(reported(TaskPhase.ENDED, end), now);
    assertEquals(1, effects.size());
    Reply<?> reply = (Reply<?>) ((Effect.Tell<?>) effects.get(0)).message();
    assertEquals(
        TaskState.SUCCEEDED,
        ((LeaseView) assertInstanceOf(Reply.Yes.class, reply).value()).state());
  }

  @Test
  void a_repeated_return_is_not_sent_again_but_each_tick_repeats_it_until_the_end() {
    granted();
    giveBack(1, ANN);
    assertEquals(Decision.atOnce(List.of()), giveBack(1, ANN));
    Effect repeated = new Effect.SendToNode("n1", back());
    assertEquals(List.of(repeated), leases.tick(now).atOnce());
    assertEquals(List.of(repeated), leases.tick(now).atOnce());
    reported(
        TaskPhase.ENDED,
        new TaskEnd(TaskEnd.Kind.BY_ITSELF, 0, null, "exit code 0", null, null, null));
    assertEquals(List.of(), leases.tick(now).atOnce().stream().filter(repeated::equals).toList());
  }

  @Test
  void a_return_of_an_attempt_that_is_over_changes_nothing() {
    granted();
    assertEquals(
        Decision.atOnce(List.of(tell(onA(TaskState.RUNNING)))),
        giveBack(7, ANN),
        "the answer to its return was lost");
  }

  @Test
  void a_return_before_the_grant_cancels_the_request_and_is_answered_when_that_is_durable() {
    ask(1, SPACE, 0);
    String cause = "given back before it was granted";
    Decision decision = giveBack(0, ANN);
    assertEquals(
        Decision.of(
                List.of(
                    new TaskChange(
                        FIRST,
                        TaskState.WAITING,
                        TaskTrigger.CANCEL,
                        TaskState.CANCELLED,
                        null,
                        List.of(),
                        cause)))
            .placing(),
        decision);
    assertEquals(
        List.of(tell(unplaced(TaskState.CANCELLED, 0, cause))),
        leases.moved(decision.changes(), now));
  }

  @Test
  void who_has_no_more_patience_hears_why_the_lease_waits() {
    granted();
    LeasedProgramWorkload program = new LeasedProgramWorkload(4712, 1, "python3");
    ResourceRequest gpu = new ResourceRequest(0, 1);
    LeaseAsk second = new LeaseAsk("bob", "eval", gpu, PlacementPolicy.PACK, SPACE, program, null);
    leases.ask(new CoordinatorCommand.AskLease(second, PATIENCE, answers.getRef()), now);
    place();
    assertEquals(Decision.NONE, leases.tick(now));
    now += Duration.ofMillis(PATIENCE).toNanos();
    LeaseView waits =
        new LeaseView(
            new JobId(2),
            "eval",
            TaskState.WAITING,
            0,
            null,
            List.of(),
            0,
            false,
            List.of("n1: 0 of 1 GPU free, wanted 1"),
            null,
            Map.of());
    assertEquals(Decision.atOnce(List.of(tell(waits))), leases.tick(now));
  }

  @Test
  void a_request_that_its_program_no_longer_asks_for_is_cancelled() {
    ask(1, SPACE, 0);
    now += LeaseWaits.FORGOTTEN.toNanos();
    assertEquals(Decision.NONE, leases.tick(now));
    now++;
    assertEquals(
        Decision.of(
            List.of(
                new TaskChange(
                    FIRST,
                    TaskState.WAITING,
                    TaskTrigger.CANCEL,
                    TaskState.CANCELLED,
                    null,
                    List.of(),
                    "its program no longer asks for it"))),
        leases.tick(now));
  }

  @Test
  void a_lease_of_before_a_restart_has_its_time_again() {
    ask(1, SPACE, 0);
    DeviceLeaseDecisions restarted =
        new DeviceLeaseDecisions(
            tasks,
            admission,
            new AgentConnections(new CoordinatorMessage.Welcome(2, 1000, 1000), tasks));
    now += 10 * LeaseWaits.FORGOTTEN.toNanos();
    restarted.goOn(now);
    now += LeaseWaits.FORGOTTEN.toNanos();
    assertEquals(Decision.NONE, restarted.tick(now));
    now++;
    assertEquals(1, restarted.tick(now).changes().size());
  }
}
