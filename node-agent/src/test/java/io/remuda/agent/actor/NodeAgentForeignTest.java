package io.remuda.agent.actor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.protocol.AgentMessage;
import io.remuda.agent.protocol.CoordinatorMessage;
import io.remuda.agent.protocol.StateFileLineage;
import io.remuda.agent.protocol.TaskPhase;
import io.remuda.worker.job.AttemptId;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An agent whose coordinator works with another state file than the one before. */
@Tag("attack")
@Tag("attack-store")
@Timeout(60)
class NodeAgentForeignTest extends WithNodeAgent {

  private static final String OURS = "1.0.1-aaaaaaaa11111111";
  private static final String SHARED = "1.0.1-bbbbbbbb22222222";
  private static final String FOREIGN = "9.0.1-bbbbbbbb33333333";

  private static final StateFileLineage LINEAGE =
      new StateFileLineage(
          List.of(
              new StateFileLineage.Origin("aaaaaaaa", Long.MAX_VALUE),
              new StateFileLineage.Origin("bbbbbbbb", 5)));

  private void startWith(String... attempts) {
    startLaunched();
    agent.run(
        new NodeAgentCommand.KeeperReady(
            1, List.of(attempts).stream().map(attempt -> view("r1/n1/" + attempt)).toList()));
    settle();
    agent.run(new NodeAgentCommand.LinkUp("127.0.0.1"));
    hears(new CoordinatorMessage.Welcome(1, 6000, 500, LINEAGE));
  }

  private List<String> killed() {
    return toKeeper().stream()
        .filter(KeeperConnectionActor.Kill.class::isInstance)
        .map(command -> ((KeeperConnectionActor.Kill) command).key())
        .toList();
  }

  @Test
  void what_another_file_has_started_is_told_of_and_left_alone() {
    startWith(OURS, SHARED, FOREIGN);
    assertTrue(
        toKeeper().contains(new KeeperConnectionActor.Renew(List.of("r1/n1/" + FOREIGN), 0)),
        "no lease of it passes");
    AgentMessage.Hello hello = (AgentMessage.Hello) toCoordinator().get(0);
    assertTrue(hello.tasks().stream().allMatch(task -> task.facts() != null), hello.toString());
    wants(1);
    assertEquals(Set.of("r1/n1/" + OURS, "r1/n1/" + SHARED), Set.copyOf(killed()));
    assertEquals(
        List.of(OURS + " ENDING", SHARED + " ENDING", FOREIGN + " RUNNING"),
        tasks(report().tasks()));
  }

  @Test
  void its_end_is_kept_for_the_file_that_may_come_back() {
    startWith(FOREIGN);
    wants(1);
    changes(FOREIGN, TaskPhase.ENDED);
    tick();
    assertEquals(List.of(), tasks(report().tasks()));
    assertEquals(
        List.of(),
        toKeeper().stream().filter(KeeperConnectionActor.Forget.class::isInstance).toList(),
        "nothing is forgotten");
  }

  @Test
  void people_can_have_it_ended() {
    startWith(FOREIGN);
    wants(1);
    toKeeper();
    hears(new CoordinatorMessage.EndForeign(AttemptId.parse(FOREIGN)));
    assertEquals(List.of("r1/n1/" + FOREIGN), killed());
  }
}
