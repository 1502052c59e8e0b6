package io.remuda.agent.actor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.keeper.RefusalCode;
import io.remuda.agent.keeper.SpawnAnswer;
import io.remuda.agent.protocol.AgentMessage;
import io.remuda.agent.protocol.CoordinatorMessage;
import io.remuda.agent.protocol.TaskEnd;
import io.remuda.agent.protocol.TaskPhase;
import io.remuda.agent.protocol.TaskStartOrder;
import io.remuda.agent.testkit.TestAgents;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.EndingTerms;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Orders that share a slot are followed in turn. */
class NodeAgentSlotsTest extends WithNodeAgent {

  @Test
  void orders_of_one_slot_are_followed_one_after_the_other() {
    startWelcomed();
    wants(
        1,
        TestAgents.withSlot("1.0.1", 5),
        TestAgents.withSlot("1.1.1", 5),
        TestAgents.withSlot("1.2.1", 6));
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
    wants(1, TestAgents.withSlot("1.0.1", 5), TestAgents.withSlot("1.1.1", 5));
    List<TaskStartOrder> one = List.of(TestAgents.withSlot("1.0.1", 5));
    agent.run(
        new NodeAgentCommand.FromCoordinator(new CoordinatorMessage.Desired(1, 2, false, one)));
    assertEquals(List.of("1.0.1 STARTING", "1.1.1 REFUSED"), tasks(report().tasks()));
    wants(3, TestAgents.withSlot("1.0.1", 5));
    assertEquals(List.of("1.0.1 STARTING"), tasks(report().tasks()));
    changes("1.0.1", TaskPhase.ENDED);
    assertFalse(Files.exists(folder.resolve("tasks/1.1.1")));
  }

  @Test
  void
      after_a_lost_connection_nothing_starts_before_the_coordinator_has_said_what_it_still_wants() {
    startWelcomed();
    wants(1, TestAgents.withSlot("1.0.1", 5), TestAgents.withSlot("1.1.1", 5));
    changes("1.0.1", TaskPhase.RUNNING);
    run(NodeAgentCommand.LinkDown.INSTANCE);
    changes("1.0.1", TaskPhase.ENDED);
    assertFalse(Files.exists(folder.resolve("tasks/1.1.1")));
    welcome();
    run(NodeAgentCommand.News.INSTANCE);
    tick();
    assertFalse(Files.exists(folder.resolve("tasks/1.1.1")), "it may be cancelled");
    wants(2, TestAgents.withSlot("1.0.1", 5), TestAgents.withSlot("1.1.1", 5));
    assertTrue(Files.exists(folder.resolve("tasks/1.1.1")));
  }

  @Test
  void an_order_behind_one_that_takes_long_is_given_back() {
    startWelcomed();
    wants(1, TestAgents.withSlot("1.0.1", 5), TestAgents.withSlot("1.1.1", 5));
    changes("1.0.1", TaskPhase.RUNNING);
    clock.advance(Duration.ofSeconds(2));
    tick();
    AgentMessage.Report report = report();
    assertEquals(List.of("1.0.1 RUNNING", "1.1.1 REFUSED"), tasks(report.tasks()));
    assertEquals(TaskEnd.Kind.NOT_BEGUN, report.tasks().get(1).end().kind());
  }

  @Test
  void a_task_that_was_there_before_this_agent_has_its_slot() {
    startWelcomed(view("r1/n1/1.0.1"));
    hears(
        new CoordinatorMessage.Desired(
            1,
            2,
            false,
            List.of(TestAgents.withSlot("1.1.1", 5)),
            List.of(CoordinatorMessage.Kept.of(TestAgents.withSlot("1.0.1", 5)))));
    assertFalse(Files.exists(folder.resolve("tasks/1.1.1")));
    changes("1.0.1", TaskPhase.ENDED);
    assertTrue(Files.exists(folder.resolve("tasks/1.1.1")));
  }

  private void answers(String attempt, SpawnAnswer answer) {
    run(new NodeAgentCommand.TaskAnswered(AttemptId.parse(attempt), answer));
    settle();
  }

  private static SpawnAnswer notBegun() {
    return new SpawnAnswer.Refused(RefusalCode.NOT_BEGUN, "withdrawn");
  }

  private List<String> spawned() {
    return toKeeper().stream()
        .filter(KeeperConnectionActor.Spawn.class::isInstance)
        .map(word -> ((KeeperConnectionActor.Spawn) word).request())
        .map(request -> request.key() + " in slot " + request.slot())
        .toList();
  }

  @Test
  void orders_that_are_due_together_reach_the_keeper_together() {
    startWelcomed();
    toKeeper();
    wants(1, TestAgents.command("1.0.1", 5), TestAgents.command("1.1.1", 5));
    List<Integer> sizes =
        toldKeeper().stream()
            .filter(KeeperConnectionActor.SpawnAll.class::isInstance)
            .map(word -> ((KeeperConnectionActor.SpawnAll) word).spawns().size())
            .toList();
    assertEquals(List.of(2), sizes);
  }

  /** Two commands in one slot, of which the first has begun. */
  private void handedOn() {
    startWelcomed();
    toKeeper();
    wants(1, TestAgents.command("1.0.1", 5), TestAgents.command("1.1.1", 5));
    assertEquals(List.of("r1/n1/1.0.1 in slot 5", "r1/n1/1.1.1 in slot 5"), spawned());
    answers("1.0.1", new SpawnAnswer.Started(4711, 1));
    report();
  }

  @Test
  void commands_of_a_slot_are_handed_to_the_keeper_at_once_and_run_when_it_says_so() {
    handedOn();
    changes("1.0.1", TaskPhase.ENDED);
    answers("1.1.1", new SpawnAnswer.Started(4712, 1));
    tick();
    assertEquals(List.of("1.0.1 ENDED", "1.1.1 RUNNING"), tasks(report().tasks()));
  }

  @Test
  void a_command_behind_one_that_takes_long_is_withdrawn_and_given_back() {
    handedOn();
    clock.advance(Duration.ofSeconds(2));
    tick();
    assertEquals(List.of(new KeeperConnectionActor.Withdraw("r1/n1/1.1.1")), withdrawn());
    answers("1.1.1", notBegun());
    tick();
    AgentMessage.Report report = report();
    assertEquals(List.of("1.0.1 RUNNING", "1.1.1 REFUSED"), tasks(report.tasks()));
    assertEquals(TaskEnd.Kind.NOT_BEGUN, report.tasks().get(1).end().kind());
  }

  private List<KeeperConnectionActor.Command> withdrawn() {
    return toKeeper().stream().filter(KeeperConnectionActor.Withdraw.class::isInstance).toList();
  }

  @Test
  void a_command_that_is_taken_back_before_its_turn_is_withdrawn() {
    handedOn();
    wants(2, TestAgents.command("1.0.1", 5));
    assertEquals(List.of(new KeeperConnectionActor.Withdraw("r1/n1/1.1.1")), withdrawn());
    answers("1.1.1", notBegun());
    wants(3, TestAgents.command("1.0.1", 5));
    tick();
    assertEquals(List.of("1.0.1 RUNNING"), tasks(report().tasks()));
  }

  @Test
  void one_that_is_taken_back_and_has_begun_meanwhile_is_ended() {
    handedOn();
    wants(2, TestAgents.command("1.0.1", 5));
    toKeeper();
    answers("1.1.1", new SpawnAnswer.Started(4712, 1));
    assertEquals(
        List.of(new KeeperConnectionActor.Kill("r1/n1/1.1.1", EndingTerms.MOST_GRACE_MILLIS, null)),
        toKeeper());
  }

  @Test
  void with_the_keeper_only_those_are_lost_that_may_have_begun() throws Exception {
    handedOn();
    wants(
        2,
        TestAgents.command("1.0.1", 5),
        TestAgents.command("1.1.1", 5),
        TestAgents.command("1.2.1", 5));
    Files.createFile(
        folder.resolve("tasks/1.1.1/out")); // it has begun, but has not reported it yet
    run(new NodeAgentCommand.KeeperLost("killed"));
    settle();
    AgentMessage.Report report = report();
    assertEquals(List.of("1.0.1 ENDED", "1.1.1 ENDED", "1.2.1 REFUSED"), tasks(report.tasks()));
    assertEquals(TaskEnd.Kind.NOT_BEGUN, report.tasks().get(2).end().kind());
  }
}
