package io.remuda.agent.attempt;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.agent.keeper.ReachedProcesses;
import io.remuda.agent.keeper.SpawnRequest;
import io.remuda.agent.protocol.TaskStartOrder;
import io.remuda.agent.settings.AgentSettings;
import io.remuda.agent.settings.AskToEnd;
import io.remuda.agent.settings.TrainingCallers;
import io.remuda.agent.testkit.TestAgents;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.CommandWorkload;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.signal.SignalReach;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What a keeper is told about who gets the signals of a command. */
class SignalReachOfRequestTest {
  private static final AgentSettings SETTINGS = TestAgents.settings(Path.of("/tmp/f"));

  private static SpawnRequest request(AgentSettings settings, TaskStartOrder.Ending ending) {
    TaskStartOrder order =
        new TaskStartOrder(
            AttemptId.parse("1.0.1"),
            "ann",
            false,
            0,
            new CommandWorkload(List.of("true"), Map.of(), "/", 022),
            List.of(),
            1,
            false,
            new TaskStartOrder.JobFacts(new UUID(0, 1), "job", 1, new ResourceRequest(1, 0)),
            0,
            ending,
            null,
            null);
    return new CommandSpawnRequestBuilder(settings, new OwnInterfaces("127.0.0.1"), List::of)
        .of(
            order,
            (CommandWorkload) order.workload(),
            TaskFolder.of(settings, order.attempt()),
            LaunchAdditions.NONE);
  }

  private static AgentSettings asking(AskToEnd who) {
    return new AgentSettings(
        "n1",
        "r1",
        SETTINGS.access(),
        SETTINGS.folder(),
        SETTINGS.cache(),
        SETTINGS.tie(),
        SETTINGS.timing(),
        true,
        true,
        who,
        TrainingCallers.OWN,
        Map.of());
  }

  @Test
  void a_signal_before_the_limit_reaches_whom_the_job_says() {
    SpawnRequest all = request(SETTINGS, new TaskStartOrder.Ending(1000, 10, 500, SignalReach.ALL));
    assertEquals(ReachedProcesses.ALL, all.signalReach());
    assertEquals(ReachedProcesses.FIRST, all.endingReach());
    SpawnRequest usual = request(SETTINGS, new TaskStartOrder.Ending(1000, 10, 500));
    assertEquals(ReachedProcesses.FIRST, usual.signalReach());
  }

  @Test
  void a_node_may_ask_all_processes_at_once_as_earlier_builds_did() {
    TaskStartOrder.Ending ending = new TaskStartOrder.Ending(1000, 0, 0);
    assertEquals(ReachedProcesses.EVERY, request(asking(AskToEnd.ALL), ending).endingReach());
    assertEquals(
        ReachedProcesses.EVERY, request(asking(AskToEnd.ALL), ending).slim().endingReach());
    assertEquals(ReachedProcesses.FIRST, request(asking(AskToEnd.FIRST), ending).endingReach());
  }
}
