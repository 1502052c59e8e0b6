package io.remuda.agent.actor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.keeper.ExitFile;
import io.remuda.agent.keeper.ExitRecord;
import io.remuda.agent.keeper.ExitStatus;
import io.remuda.agent.protocol.AgentMessage;
import io.remuda.agent.protocol.TaskEnd;
import io.remuda.agent.stream.InputTransferMarkerFiles;
import io.remuda.agent.testkit.TestAgents;
import io.remuda.worker.job.EndingTerms;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What an agent finds with its keeper, and what is lost with one. */
class NodeAgentKeeperTest extends WithNodeAgent {
  private static final KeeperConnectionActor.Kill KILL_FIRST =
      new KeeperConnectionActor.Kill("r1/n1/1.0.1", EndingTerms.MOST_GRACE_MILLIS, null);

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
  void without_a_keeper_nothing_is_started_and_no_revision_counts_as_followed() {
    startWelcomed();
    wants(1);
    run(new NodeAgentCommand.KeeperLost("killed"));
    wants(2, TestAgents.order("1.0.1"));
    tick();
    AgentMessage.Report report = report();
    assertEquals(List.of(), report.tasks());
    assertEquals(1, report.revision(), "an order that was not followed is not missing");
    run(new NodeAgentCommand.KeeperReady(1, List.of()));
    tick();
    report = report();
    assertEquals(List.of("1.0.1 STARTING"), tasks(report.tasks()));
    assertEquals(2, report.revision());
  }

  @Test
  void while_no_keeper_can_be_started_what_is_to_start_is_given_back() {
    startWelcomed();
    wants(1);
    run(new NodeAgentCommand.KeeperLost("killed"));
    wants(2, TestAgents.order("1.0.1"));
    run(new NodeAgentCommand.KeeperMissing("no keeper can be started: no memory"));
    settle();
    AgentMessage.Report report = report();
    assertEquals(List.of("1.0.1 REFUSED"), tasks(report.tasks()));
    assertEquals(TaskEnd.Kind.NO_ROOM, report.tasks().get(0).end().kind());
    assertEquals("no keeper can be started: no memory", report.tasks().get(0).end().cause());
    assertEquals(2, report.revision());
    wants(3, TestAgents.order("2.0.1"));
    settle();
    assertEquals("2.0.1 REFUSED", tasks(report().tasks()).get(0));
    run(new NodeAgentCommand.KeeperReady(1, List.of()));
    wants(4, TestAgents.order("3.0.1"));
    settle();
    assertEquals(List.of("3.0.1 STARTING"), tasks(report().tasks()));
  }

  @Test
  void a_lost_keeper_is_told_to_a_worker_and_is_the_end_of_a_command() throws Exception {
    makeWorker("1.0.1");
    startWelcomed(view("r1/n1/1.0.1"), view("r1/n1/2.0.1"));
    wants(1, TestAgents.order("1.0.1"), TestAgents.order("2.0.1"));
    run(new NodeAgentCommand.KeeperLost("killed"));
    settle();
    assertEquals(List.of(new BuiltInWorkerSupervisor.KeeperGone("killed")), toTask("1.0.1"));
    assertEquals(List.of("1.0.1 RUNNING", "2.0.1 ENDED"), tasks(report().tasks()));
  }

  @Test
  void a_success_whose_stdin_broke_off_with_the_agent_before_is_none() throws Exception {
    Path task = Files.createDirectories(folder.resolve("tasks/1.0.1"));
    Files.createFile(task.resolve("out"));
    InputTransferMarkerFiles.begin(task);
    ExitStatus success = new ExitStatus.Code(0);
    ExitFile.write(
        task, new ExitRecord("r1/n1/1.0.1", 4711, 1, success, 5, 1, 1, 0, false, false, 0));
    startWelcomed();
    wants(1, TestAgents.order("1.0.1"));
    TaskEnd end = report().tasks().get(0).end();
    assertTrue(end.cause().startsWith("its stdin broke off"), end.cause());
  }

  private static final Map<String, String> SUDO =
      Map.of("r1/n1/1.0.1", "process 12 (sleep) is of user 0: as that user, kill -9 12");

  @Test
  @Tag("attack")
  @Tag("attack-escape")
  void what_a_lost_keeper_has_left_is_not_over_before_it_is_gone_and_says_what_to_do() {
    startWelcomed(view("r1/n1/1.0.1"), view("r1/n1/2.0.1"));
    wants(1, TestAgents.order("1.0.1"), TestAgents.order("2.0.1"));
    agent.run(new NodeAgentCommand.Unended(SUDO));
    agent.run(new NodeAgentCommand.KeeperLost("killed"));
    settle();
    AgentMessage.Report report = report();
    assertEquals(List.of("1.0.1 ENDING", "2.0.1 ENDED"), tasks(report.tasks()));
    TaskEnd why = report.tasks().get(0).end();
    assertEquals(TaskEnd.Kind.NOT_GONE, why.kind());
    assertEquals(SUDO.get("r1/n1/1.0.1"), why.cause());

    agent.run(new NodeAgentCommand.Unended(Map.of()));
    settle();
    report = report();
    assertEquals(List.of("1.0.1 ENDED", "2.0.1 ENDED"), tasks(report.tasks()));
    assertEquals("keeper lost: killed", report.tasks().get(0).end().cause());
  }

  @Test
  @Tag("attack")
  @Tag("attack-escape")
  void an_agent_that_finds_what_a_lost_keeper_has_left_does_not_say_that_it_is_over()
      throws Exception {
    Path task = Files.createDirectories(folder.resolve("tasks/1.0.1"));
    Files.createFile(task.resolve("out"));
    startLaunched();
    agent.run(new NodeAgentCommand.Unended(Map.of("", "its keeper, process 9, does not end")));
    agent.run(new NodeAgentCommand.KeeperReady(1, List.of()));
    settle();
    welcome();
    wants(1, TestAgents.order("1.0.1"));
    assertEquals(List.of("1.0.1 ENDING"), tasks(report().tasks()));

    agent.run(new NodeAgentCommand.Unended(Map.of()));
    settle();
    assertEquals(List.of("1.0.1 ENDED"), tasks(report().tasks()));
  }
}
