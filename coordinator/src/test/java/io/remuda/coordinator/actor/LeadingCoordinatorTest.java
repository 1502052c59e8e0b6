package io.remuda.coordinator.actor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.typesafe.config.ConfigFactory;
import io.remuda.agent.settings.file.LayeredSettingsReader;
import io.remuda.coordinator.cluster.ForwardedAnswer;
import io.remuda.coordinator.cluster.KnownLeader;
import io.remuda.coordinator.cluster.LeaderCommand;
import io.remuda.coordinator.cluster.LeaderNotice;
import io.remuda.coordinator.settings.CoordinatorSettings;
import io.remuda.coordinator.store.StoreOpener;
import io.remuda.coordinator.store.row.StoreDamagedException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.ManualTime;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The leader over a real state file. */
@Timeout(60)
class LeadingCoordinatorTest {
  private final ActorTestKit kit =
      ActorTestKit.create(
          ManualTime.config()
              .withFallback(
                  ConfigFactory.parseString("pekko.loglevel = OFF\npekko.actor.provider = local"))
              .withFallback(ConfigFactory.load("coordinator")));
  private final ManualTime time = ManualTime.get(kit.system());
  private final KnownLeader state = new KnownLeader();
  private final TestProbe<LeadingCoordinator.Event> guardian = kit.createTestProbe();
  private final TestProbe<ForwardedAnswer> member = kit.createTestProbe();
  private final Deque<CompletableFuture<StoreOpener.Opened>> openings = new ArrayDeque<>();

  @TempDir private Path folder;
  private ActorRef<LeaderCommand> leader;

  @BeforeEach
  void spawn() {
    leader =
        kit.spawn(
            LeadingCoordinator.create(
                new LeadingCoordinator.Parts(
                    CoordinatorSettings.load(LayeredSettingsReader.withoutFile()),
                    "a",
                    "h1:7411",
                    () -> {
                      openings.add(new CompletableFuture<>());
                      return openings.getLast();
                    },
                    request ->
                        request
                            .replyTo()
                            .tell(
                                new ForwardedAnswer(request.id(), 200, "x", Map.of(), new byte[0])),
                    state,
                    kit.system().ignoreRef(),
                    guardian.ref(),
                    Clock.systemUTC(),
                    System::nanoTime)));
    member.awaitAssert(
        () -> {
          assertEquals(1, openings.size());
          return null;
        });
  }

  @AfterEach
  void end() {
    kit.shutdownTestKit();
  }

  private void forward(long id) {
    leader.tell(
        new LeaderCommand.ForwardedRequest(
            id, "ann", false, "GET", "/nodes", new byte[0], member.ref()));
  }

  private LeadingCoordinator.Leads opened() throws Exception {
    openings.getLast().complete(StoreOpener.open(folder, Clock.systemUTC()));
    return guardian.expectMessageClass(LeadingCoordinator.Leads.class);
  }

  @Test
  void what_comes_before_the_state_is_open_is_left_to_the_one_who_sent_it() throws Exception {
    forward(1);
    LeadingCoordinator.Leads leads = opened();
    forward(2);
    assertEquals(2, member.receiveMessage().id());
    assertEquals(leads.coordinator(), state.coordinator().orElseThrow());
  }

  @Test
  void a_state_that_opens_after_its_leader_was_stopped_is_closed_again() throws Exception {
    kit.stop(leader);
    guardian.expectMessage(LeadingCoordinator.LeadsNoMore.INSTANCE);
    openings.getLast().complete(StoreOpener.open(folder, Clock.systemUTC()));
    guardian.awaitAssert(
        () -> {
          try {
            StoreOpener.open(folder, Clock.systemUTC()).journal().close();
          } catch (IOException | StoreDamagedException taken) {
            throw new AssertionError(taken);
          }
          return null;
        });
  }

  @Test
  void a_state_that_cannot_be_opened_is_tried_again() throws Exception {
    openings.getLast().completeExceptionally(new IOException("the database is away"));
    member.awaitAssert(
        () -> {
          time.timePasses(Duration.ofSeconds(1));
          assertEquals(2, openings.size());
          return null;
        });
    opened();
  }

  @Test
  void it_says_in_which_epoch_it_leads() throws Exception {
    LeadingCoordinator.Leads leads = opened();
    TestProbe<LeaderNotice> asking = kit.createTestProbe();
    leader.tell(new LeaderCommand.LookAtLeader(asking.ref()));
    LeaderNotice notice = asking.receiveMessage();
    assertEquals("a h1:7411", notice.member() + " " + notice.agents());
    assertEquals(leads.store().state().epoch(), notice.epoch());
  }

  @Test
  void it_gives_the_state_up_before_another_member_leads() throws Exception {
    opened();
    leader.tell(LeadingCoordinator.HandOver.INSTANCE);
    guardian.expectMessage(LeadingCoordinator.LeadsNoMore.INSTANCE);
    guardian.expectTerminated(leader, Duration.ofSeconds(10));
    assertTrue(state.coordinator().isEmpty());
    StoreOpener.open(folder, Clock.systemUTC()).journal().close(); // it is locked no more
  }

  @Test
  void a_state_that_opens_too_late_is_closed_again() throws Exception {
    leader.tell(LeadingCoordinator.HandOver.INSTANCE);
    StoreOpener.Opened late = StoreOpener.open(folder, Clock.systemUTC());
    openings.getLast().complete(late);
    guardian.expectTerminated(leader, Duration.ofSeconds(10));
    StoreOpener.open(folder, Clock.systemUTC()).journal().close();
  }
}
