package io.remuda.coordinator.actor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.agent.settings.file.LayeredSettingsReader;
import io.remuda.coordinator.cluster.KnownLeader;
import io.remuda.coordinator.cluster.LeaderCommand;
import io.remuda.coordinator.cluster.NewLeaderStateSource;
import io.remuda.coordinator.settings.CoordinatorSettings;
import io.remuda.coordinator.status.RunNodesStatus;
import io.remuda.coordinator.store.row.OtherBuildStateException;
import io.remuda.coordinator.store.row.StoreDamagedException;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A member that is to lead and cannot open the state. */
class LeaderWithoutStateTest {
  private final ActorTestKit kit = ActorTestKit.create();
  private final TestProbe<LeadingCoordinator.Event> guardian = kit.createTestProbe();
  private final KnownLeader leader = new KnownLeader();

  @AfterEach
  void end() {
    kit.shutdownTestKit();
  }

  private void leadWith(Throwable fault) {
    NewLeaderStateSource source = () -> CompletableFuture.failedFuture(fault);
    ActorRef<RunNodesStatus> status = kit.<RunNodesStatus>createTestProbe().ref();
    kit.<LeaderCommand>spawn(
        LeadingCoordinator.create(
            new LeadingCoordinator.Parts(
                CoordinatorSettings.load(LayeredSettingsReader.withoutFile()),
                "a",
                "127.0.0.1:1",
                source,
                request -> {},
                leader,
                status,
                guardian.ref(),
                Clock.systemUTC(),
                System::nanoTime)));
  }

  @Test
  void a_state_that_only_another_build_can_use_is_left_to_a_member_that_can() {
    StoreDamagedException cause = new OtherBuildStateException("its schema has version 2");
    leadWith(new StoreDamagedException("postgresql://db/lab: its schema has version 2", cause));
    guardian.expectMessage(new LeadingCoordinator.CannotLead("its schema has version 2"));
    assertEquals(Optional.of("its schema has version 2"), leader.obstacle());
    guardian.expectMessage( // for it may be that no other can take over yet
        Duration.ofSeconds(5), new LeadingCoordinator.CannotLead("its schema has version 2"));
  }

  @Test
  void a_database_that_is_away_is_waited_for() {
    leadWith(new IOException("connection refused"));
    guardian.expectNoMessage(Duration.ofMillis(500));
    assertEquals(Optional.of("connection refused"), leader.obstacle());
  }
}
