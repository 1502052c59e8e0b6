package io.remuda.agent.actor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.remuda.agent.attempt.TaskFolder;
import io.remuda.agent.attempt.WorkerCommand;
import io.remuda.agent.keeper.AdoptRequest;
import io.remuda.agent.keeper.RefusalCode;
import io.remuda.agent.keeper.SpawnAnswer;
import io.remuda.agent.keeper.SpawnRequest;
import io.remuda.agent.settings.AgentSettings;
import io.remuda.agent.settings.Distribution;
import io.remuda.agent.testkit.Messages;
import io.remuda.agent.testkit.TestAgents;
import io.remuda.worker.job.AttemptId;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.apache.pekko.actor.testkit.typed.javadsl.BehaviorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.apache.pekko.actor.typed.Behavior;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The port without a keeper; with one it is tested by the keeper's and the ensemble's ITs. */
class KeeperPortTest {
  @TempDir private Path folder;
  private final TestInbox<NodeAgent.Command> agent = TestInbox.create();
  private final TestInbox<SpawnAnswer> reply = TestInbox.create();

  private BehaviorTestKit<KeeperPort.Command> port() {
    return BehaviorTestKit.create(
        KeeperPort.create(TestAgents.settings(folder), new Distribution(folder), agent.getRef()));
  }

  private SpawnRequest request() {
    AgentSettings settings = TestAgents.settings(folder);
    return WorkerCommand.of(
        TestAgents.order("1.0.1"),
        TaskFolder.of(settings, AttemptId.parse("1.0.1")),
        settings,
        new Distribution(folder),
        6000);
  }

  private AdoptRequest lease() {
    return new AdoptRequest("r1/n1/2.0.1", 4711, 1, folder.resolve("lease"), List.of(), 1000);
  }

  private Consumer<SpawnAnswer> told() {
    return reply.getRef()::tell;
  }

  @Test
  void every_command_is_handled() {
    BehaviorTestKit<KeeperPort.Command> port = port();
    port.run(new KeeperPort.Shutdown(0)); // so that it does not start a keeper
    List<KeeperPort.Command> samples =
        Messages.oneOfEach(KeeperPort.Command.class, request(), lease(), told());
    assertEquals(KeeperPort.Command.class.getPermittedSubclasses().length, samples.size());
    for (KeeperPort.Command sample : samples) {
      port.run(sample);
      assertFalse(Behavior.isUnhandled(port.returnedBehavior()), sample.toString());
    }
  }

  @Test
  void without_a_keeper_nothing_is_started_and_the_answer_says_so() {
    port().run(new KeeperPort.Spawn(1, request(), reply.getRef()::tell));
    SpawnAnswer.Refused refused = (SpawnAnswer.Refused) reply.receiveMessage();
    assertEquals(RefusalCode.SHUTTING_DOWN, refused.code());
  }

  @Test
  void a_shutdown_without_a_keeper_is_over_at_once() {
    BehaviorTestKit<KeeperPort.Command> port = port();
    port.run(new KeeperPort.Shutdown(0));
    assertEquals(List.of(NodeAgent.KeeperEnded.INSTANCE), agent.getAllReceived());
  }
}
