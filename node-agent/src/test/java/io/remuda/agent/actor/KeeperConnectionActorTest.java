package io.remuda.agent.actor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.attempt.TaskFolder;
import io.remuda.agent.attempt.WorkerLaunchCommand;
import io.remuda.agent.keeper.DeviceHoldRequest;
import io.remuda.agent.keeper.EndingSignal;
import io.remuda.agent.keeper.KeeperGoneException;
import io.remuda.agent.keeper.KeeperLink;
import io.remuda.agent.keeper.RefusalCode;
import io.remuda.agent.keeper.SpawnAnswer;
import io.remuda.agent.keeper.SpawnRequest;
import io.remuda.agent.keeper.TaskView;
import io.remuda.agent.keeper.join.AgentKeepers;
import io.remuda.agent.keeper.join.KeeperProcesses;
import io.remuda.agent.keeper.proc.KeeperProcessHandle;
import io.remuda.agent.keeper.sweep.OrphanSweep;
import io.remuda.agent.settings.AgentSettings;
import io.remuda.agent.settings.Distribution;
import io.remuda.agent.testkit.Messages;
import io.remuda.agent.testkit.TestAgents;
import io.remuda.worker.job.AttemptId;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.pekko.actor.testkit.typed.CapturedLogEvent;
import org.apache.pekko.actor.testkit.typed.Effect;
import org.apache.pekko.actor.testkit.typed.javadsl.BehaviorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.apache.pekko.actor.typed.Behavior;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.event.Level;

/** The port without a keeper; with one it is tested by the keeper's and the ensemble's ITs. */
class KeeperConnectionActorTest {
  private static final AttemptId FIRST = AttemptId.parse("1.0.1");

  @TempDir private Path folder;
  private final TestInbox<NodeAgentCommand> agent = TestInbox.create();

  private BehaviorTestKit<KeeperConnectionActor.Command> port() {
    return BehaviorTestKit.create(
        KeeperConnectionActor.create(
            new KeeperProcesses(TestAgents.settings(folder), new Distribution(folder)),
            agent.getRef()));
  }

  private SpawnRequest request() {
    AgentSettings settings = TestAgents.settings(folder);
    return WorkerLaunchCommand.of(
        TestAgents.order("1.0.1"),
        TaskFolder.of(settings, FIRST),
        settings,
        new Distribution(folder),
        List.of(),
        6000);
  }

  private DeviceHoldRequest lease() {
    return new DeviceHoldRequest("r1/n1/2.0.1", 4711, 1, folder.resolve("lease"), List.of(), 1000);
  }

  @Test
  void every_command_is_handled() {
    BehaviorTestKit<KeeperConnectionActor.Command> port = port();
    port.run(new KeeperConnectionActor.Shutdown(0)); // so that it does not start a keeper
    List<KeeperConnectionActor.Command> samples =
        Messages.oneOfEach(KeeperConnectionActor.Command.class, request(), lease(), FIRST);
    assertEquals(
        KeeperConnectionActor.Command.class.getPermittedSubclasses().length, samples.size());
    for (KeeperConnectionActor.Command sample : samples) {
      port.run(sample);
      assertFalse(Behavior.isUnhandled(port.returnedBehavior()), sample.toString());
    }
  }

  @Test
  void without_a_keeper_nothing_is_started_and_the_answer_says_so() {
    port().run(new KeeperConnectionActor.Spawn(1, FIRST, request()));
    NodeAgentCommand.TaskAnswered told = (NodeAgentCommand.TaskAnswered) agent.receiveMessage();
    assertEquals(FIRST, told.attempt());
    SpawnAnswer.Refused refused = (SpawnAnswer.Refused) told.answer();
    assertEquals(RefusalCode.SHUTTING_DOWN, refused.code());
  }

  @Test
  void a_shutdown_without_a_keeper_is_over_at_once() {
    BehaviorTestKit<KeeperConnectionActor.Command> port = port();
    port.run(new KeeperConnectionActor.Shutdown(0));
    assertEquals(List.of(NodeAgentCommand.KeeperEnded.INSTANCE), agent.getAllReceived());
  }

  /** A keeper that is there and accepts no connection, as that of a folder that was copied. */
  private static AgentKeepers deaf() {
    return new AgentKeepers() {
      private final Found there = () -> KeeperProcessHandle.State.LIVES;

      @Override
      public OrphanSweep.Remains ensureRunning() {
        return new OrphanSweep.Remains(0, Map.of());
      }

      @Override
      public Optional<Found> find() {
        return Optional.of(there);
      }

      @Override
      public KeeperLink connect(Found keeper, KeeperLink.Listener listener) throws IOException {
        throw new ConnectException("Connection refused");
      }

      @Override
      public OrphanSweep.Remains endLost() {
        throw new AssertionError("it lives");
      }

      @Override
      public OrphanSweep.Remains endRest() {
        return new OrphanSweep.Remains(0, Map.of());
      }
    };
  }

  @Test
  void a_keeper_that_accepts_no_connection_is_logged_once_and_not_at_each_try() {
    BehaviorTestKit<KeeperConnectionActor.Command> port =
        BehaviorTestKit.create(KeeperConnectionActor.create(deaf(), agent.getRef()));
    for (int tries = 0; tries < 20; tries++) {
      port.runOne();
      Effect.Scheduled<?> next =
          port.getAllEffects().stream()
              .filter(Effect.Scheduled.class::isInstance)
              .map(effect -> (Effect.Scheduled<?>) effect)
              .findFirst()
              .orElseThrow();
      port.getRef().tell((KeeperConnectionActor.Command) next.message());
    }
    List<CapturedLogEvent> logged =
        port.getAllLogEntries().stream().filter(line -> line.level() == Level.WARN).toList();
    assertEquals(1, logged.size(), logged.toString());
    assertTrue(logged.get(0).message().contains("no connection to the"), logged.toString());
  }

  /** A link on which starts up to this one are sent, since its keeper is killed then. */
  private static final class Cut implements KeeperLink {
    private int left;

    Cut(int left) {
      this.left = left;
    }

    @Override
    public void spawn(SpawnRequest request, Consumer<SpawnAnswer> told) {
      if (left-- <= 0) {
        throw new KeeperGoneException(new EOFException("closed by the other side"));
      }
    }

    @Override
    public void withdraw(String key) {}

    @Override
    public void adopt(DeviceHoldRequest request, Consumer<SpawnAnswer> told) {}

    @Override
    public void release(String key) {}

    @Override
    public void kill(String key, long graceMillis) {}

    @Override
    public void end(String key, EndingSignal how, long graceMillis) {}

    @Override
    public void list(Consumer<List<TaskView>> told) {}

    @Override
    public void renew(Collection<String> keys, long contactMillis) {}

    @Override
    public void forget(Collection<String> keys) {}

    @Override
    public void shutdown(long graceMillis) {}

    @Override
    public void close() {}
  }

  /** A keeper that is gone once it was joined. */
  private static AgentKeepers killed(KeeperLink link) {
    return new AgentKeepers() {
      private final Found gone = () -> KeeperProcessHandle.State.GONE;

      @Override
      public OrphanSweep.Remains ensureRunning() {
        return new OrphanSweep.Remains(0, Map.of());
      }

      @Override
      public Optional<Found> find() {
        return Optional.of(gone);
      }

      @Override
      public KeeperLink connect(Found keeper, KeeperLink.Listener listener) {
        return link;
      }

      @Override
      public OrphanSweep.Remains endLost() {
        return new OrphanSweep.Remains(0, Map.of());
      }

      @Override
      public OrphanSweep.Remains endRest() {
        return new OrphanSweep.Remains(0, Map.of());
      }
    };
  }

  @Test
  void starts_that_a_killed_keeper_was_not_sent_are_answered_before_its_loss_is_told() {
    BehaviorTestKit<KeeperConnectionActor.Command> port =
        BehaviorTestKit.create(KeeperConnectionActor.create(killed(new Cut(1)), agent.getRef()));
    port.runOne(); // joins
    port.run(
        new KeeperConnectionActor.SpawnAll(
            Stream.of("1.0.1", "1.1.1", "1.2.1")
                .map(each -> new KeeperConnectionActor.Spawn(1, AttemptId.parse(each), request()))
                .toList()));
    List<String> told =
        agent.getAllReceived().stream().map(KeeperConnectionActorTest::words).toList();
    assertEquals(List.of("1.1.1 NOT_BEGUN", "1.2.1 NOT_BEGUN", "KeeperLost"), told);
  }

  private static String words(NodeAgentCommand told) {
    return told instanceof NodeAgentCommand.TaskAnswered answered
            && answered.answer() instanceof SpawnAnswer.Refused refused
        ? answered.attempt() + " " + refused.code()
        : told.getClass().getSimpleName();
  }
}
