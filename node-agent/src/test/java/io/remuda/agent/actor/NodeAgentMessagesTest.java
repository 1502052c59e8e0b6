package io.remuda.agent.actor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.attempt.JoinedKeeperState;
import io.remuda.agent.attempt.TaskFolderPreparation;
import io.remuda.agent.keeper.SpawnAnswer;
import io.remuda.agent.protocol.AgentMessage;
import io.remuda.agent.protocol.CoordinatorMessage;
import io.remuda.agent.protocol.TaskEnd;
import io.remuda.agent.protocol.TaskPhase;
import io.remuda.agent.protocol.TaskReport;
import io.remuda.agent.testkit.Messages;
import io.remuda.agent.testkit.TestAgents;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.TrainingProgress;
import io.remuda.worker.protocol.ToWorker;
import io.remuda.worker.protocol.WorkerEvent;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.pekko.actor.typed.Behavior;
import org.junit.jupiter.api.Test;

/** What an agent hears and passes on. */
class NodeAgentMessagesTest extends WithNodeAgent {

  @Test
  void every_command_is_handled() {
    List<NodeAgentCommand> samples =
        Messages.oneOfEach(
            NodeAgentCommand.class,
            new CoordinatorMessage.NotLeader("10.0.0.2:7000"),
            new TaskReport(FIRST, TaskPhase.RUNNING, 1, null, null),
            view("r1/n1/1.0.1"),
            new SpawnAnswer.Started(4711, 1),
            SAMPLE,
            FIRST,
            TestAgents.order("1.0.1"),
            new TaskFolderPreparation(Optional.empty(), Optional.empty()),
            TaskEnd.because(TaskEnd.Kind.BY_ITSELF, "it ended"),
            TrainingProgress.NONE,
            Optional.of(new JoinedKeeperState(List.of(), Map.of(), Map.of(), List.of())),
            new WorkerEvent.Said("hello"));
    assertEquals(NodeAgentCommand.class.getPermittedSubclasses().length, samples.size());
    for (NodeAgentCommand sample : samples) {
      startLaunched();
      run(new NodeAgentCommand.KeeperReady(1, List.of()));
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
    run(new NodeAgentCommand.KeeperReady(1, List.of(view("r1/n1/1.0.1"), view("r0/n1/9.0.1"))));
    run(new NodeAgentCommand.LinkUp("127.0.0.1"));
    AgentMessage.Hello hello = (AgentMessage.Hello) toCoordinator().get(0);
    assertEquals("n1", hello.node());
    assertEquals(2, hello.devices().size());
    assertEquals(List.of("1.0.1 RUNNING"), tasks(hello.tasks()));
  }

  @Test
  void it_says_nothing_but_hello_before_it_is_welcomed() {
    startLaunched();
    run(new NodeAgentCommand.KeeperReady(1, List.of()));
    run(new NodeAgentCommand.LinkUp("127.0.0.1"));
    tick();
    run(new NodeAgentCommand.TaskHappened(FIRST, 1, new WorkerEvent.Said("hello")));
    assertEquals(1, toCoordinator().size());
    hears(new CoordinatorMessage.Welcome(1, 6000, 500));
    tick();
    assertEquals(List.of(new AgentMessage.Report(0, false, List.of())), toCoordinator());
  }

  @Test
  void messages_pass_both_ways_between_a_worker_and_the_coordinator() throws Exception {
    makeWorker("1.0.1");
    startWelcomed(view("r1/n1/1.0.1"));
    wants(1, TestAgents.order("1.0.1"));
    toCoordinator();
    run(new NodeAgentCommand.TaskHappened(FIRST, 7, new WorkerEvent.Said("hello")));
    assertEquals(
        List.of(new AgentMessage.TaskHappened(FIRST, 7, new WorkerEvent.Said("hello"))),
        toCoordinator());
    hears(new CoordinatorMessage.ToTask(FIRST, new ToWorker.Acknowledged(7)));
    assertEquals(
        List.of(new BuiltInWorkerSupervisor.Tell(new ToWorker.Acknowledged(7))), toTask("1.0.1"));
    hears(new CoordinatorMessage.ToTask(AttemptId.parse("9.9.9"), new ToWorker.Acknowledged(1)));
    assertFalse(Behavior.isUnhandled(agent.returnedBehavior()));
  }

  @Test
  void telemetry_is_opened_with_the_coordinators_period_and_closed() {
    startWelcomed();
    toTelemetry();
    hears(new CoordinatorMessage.Desired(1, 1, true, List.of()));
    hears(new CoordinatorMessage.Desired(1, 1, true, List.of()));
    assertEquals(List.of(new TelemetryActor.Open(Duration.ofMillis(500))), toTelemetry());
    run(new NodeAgentCommand.Sampled(SAMPLE));
    assertTrue(toCoordinator().contains(new AgentMessage.Telemetry(List.of(SAMPLE))));
    hears(new CoordinatorMessage.Desired(1, 2, false, List.of()));
    assertEquals(List.of(TelemetryActor.Close.INSTANCE), toTelemetry());
    run(new NodeAgentCommand.Sampled(SAMPLE));
    reportDue();
    List<AgentMessage> said = toCoordinator();
    assertEquals(List.of(new AgentMessage.Report(2, false, List.of())), said);
  }
}
