package io.remuda.coordinator.actor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.settings.file.LayeredSettingsReader;
import io.remuda.coordinator.cluster.ClusterMessage;
import io.remuda.coordinator.cluster.KnownLeader;
import io.remuda.coordinator.cluster.LeaderCommand;
import io.remuda.coordinator.settings.CoordinatorSettings;
import io.remuda.coordinator.status.RunNodesStatus;
import io.remuda.coordinator.store.StoreOpener;
import io.remuda.coordinator.testkit.Messages;
import java.io.IOException;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pekko.actor.testkit.typed.javadsl.BehaviorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What a leader makes of each message in each phase of its life. Its phases pass over what they do
 * not know, so that a message without an effect must be named here, with the reason.
 */
class LeadingCoordinatorMessagesTest {
  private static final String ASKED_AGAIN = "its member keeps it and asks again once one leads";
  private static final String NO_TIMER = "its timer runs only between two tries to open";
  private static final String NOT_OPENING = "the opening that it belongs to has ended";
  private static final String NONE_RUNS = "no coordinator runs in this phase";
  private static final String NOT_CLOSING = "the state is not being closed";
  private static final String LEAVES = "it leaves already";

  /** A phase, the messages that lead to it, and what has no effect in it. */
  private enum Phase {
    OPENING(
        List.of(),
        Map.of(
            "ForwardedRequest", ASKED_AGAIN,
            "LookAtLeader", ASKED_AGAIN,
            "OpenAgain", NO_TIMER,
            "CoordinatorEnded", NONE_RUNS,
            "StateClosed", NOT_CLOSING)),
    WAITING_FOR_THE_STATE(
        List.of("CannotOpen"),
        Map.of(
            "ForwardedRequest", ASKED_AGAIN,
            "LookAtLeader", ASKED_AGAIN,
            "StateOpened", NOT_OPENING,
            "CannotOpen", NOT_OPENING,
            "CoordinatorEnded", NONE_RUNS,
            "StateClosed", NOT_CLOSING)),
    LEAVING_BEFORE_START(
        List.of("HandOver"),
        Map.of(
            "ForwardedRequest", ASKED_AGAIN,
            "LookAtLeader", ASKED_AGAIN,
            "HandOver", LEAVES,
            "OpenAgain", NO_TIMER,
            "CoordinatorEnded", NONE_RUNS,
            "StateClosed", NOT_CLOSING)),
    LEADING(
        List.of("StateOpened"),
        Map.of(
            "StateOpened", NOT_OPENING,
            "CannotOpen", NOT_OPENING,
            "OpenAgain", NO_TIMER,
            "StateClosed", NOT_CLOSING)),
    LEAVING(
        List.of("StateOpened", "HandOver"),
        Map.of(
            "ForwardedRequest", ASKED_AGAIN,
            "LookAtLeader", ASKED_AGAIN,
            "HandOver", LEAVES,
            "StateOpened", NOT_OPENING,
            "CannotOpen", NOT_OPENING,
            "OpenAgain", NO_TIMER,
            "StateClosed", NOT_CLOSING)),
    CLOSING(
        List.of("StateOpened", "CoordinatorEnded"),
        Map.of(
            "ForwardedRequest", ASKED_AGAIN,
            "LookAtLeader", ASKED_AGAIN,
            "HandOver", LEAVES,
            "StateOpened", NOT_OPENING,
            "CannotOpen", NOT_OPENING,
            "OpenAgain", NO_TIMER,
            "CoordinatorEnded", NONE_RUNS));

    private final List<String> way;
    private final Map<String, String> ignored;

    Phase(List<String> way, Map<String, String> ignored) {
      this.way = way;
      this.ignored = ignored;
    }
  }

  @TempDir private Path folder;
  private final TestInbox<Object> asking = TestInbox.create();
  private final TestInbox<LeadingCoordinator.Event> guardian = TestInbox.create();
  private final AtomicInteger answered = new AtomicInteger();
  private final Map<String, LeaderCommand> samples = new TreeMap<>();
  private StoreOpener.Opened store;

  @BeforeEach
  void open() throws Exception {
    store = StoreOpener.open(folder, Clock.systemUTC());
    Messages.oneOfEachThatImplements(
            LeaderCommand.class, store, new IOException("it is away"), asking.getRef())
        .forEach(sample -> samples.put(sample.getClass().getSimpleName(), sample));
  }

  @AfterEach
  void close() {
    store.journal().close();
  }

  private BehaviorTestKit<LeaderCommand> leaderIn(Phase phase) {
    BehaviorTestKit<LeaderCommand> leader =
        BehaviorTestKit.create(
            LeadingCoordinator.create(
                new LeadingCoordinator.Parts(
                    CoordinatorSettings.load(LayeredSettingsReader.withoutFile()),
                    "a",
                    "h1:7411",
                    CompletableFuture::new, // the test says when it is open
                    request -> answered.incrementAndGet(),
                    new KnownLeader(),
                    TestInbox.<RunNodesStatus>create().getRef(),
                    guardian.getRef(),
                    Clock.systemUTC(),
                    System::nanoTime)));
    phase.way.forEach(message -> leader.run(samples.get(message)));
    return leader;
  }

  /** Whether a message changes the phase, or something is sent or begun because of it. */
  private boolean hasEffect(BehaviorTestKit<LeaderCommand> leader, LeaderCommand message) {
    leader.getAllEffects();
    asking.getAllReceived();
    guardian.getAllReceived();
    answered.set(0);
    leader.run(message);
    boolean moved =
        !Behavior.isUnhandled(leader.returnedBehavior())
            && leader.returnedBehavior() != Behaviors.<LeaderCommand>same();
    return moved
        || answered.get() > 0
        || asking.hasMessages()
        || guardian.hasMessages()
        || !leader.getAllEffects().isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void each_message_has_an_effect_or_is_named_with_the_reason_why_it_has_none(Phase phase) {
    TreeSet<String> without = new TreeSet<>();
    samples.forEach(
        (name, sample) -> {
          if (!hasEffect(leaderIn(phase), sample)) {
            without.add(name);
          }
        });
    assertEquals(new TreeSet<>(phase.ignored.keySet()), without);
  }

  @Test
  void what_does_not_travel_between_members_is_known_to_the_leader_alone() {
    for (Class<?> type : Messages.implementations(LeaderCommand.class)) {
      boolean own =
          type.getDeclaringClass() == LeadingCoordinator.class
              && !Modifier.isPublic(type.getModifiers());
      assertTrue(own || ClusterMessage.class.isAssignableFrom(type), type.getName());
    }
  }
}
