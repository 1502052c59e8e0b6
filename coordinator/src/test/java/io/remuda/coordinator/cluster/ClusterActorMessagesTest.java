package io.remuda.coordinator.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.typesafe.config.ConfigFactory;
import io.remuda.coordinator.access.ClusterSecret;
import io.remuda.coordinator.api.CoordinatorCommand;
import io.remuda.coordinator.architecture.ProductionClasses;
import io.remuda.coordinator.testkit.Messages;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.pekko.actor.UnhandledMessage;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.BehaviorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.cluster.typed.Cluster;
import org.apache.pekko.cluster.typed.Join;
import org.junit.jupiter.api.Test;

/** What the actors of a member are told: each handles all its messages, in every state it has. */
class ClusterActorMessagesTest {
  private static final LeaderNotice NOTICE = new LeaderNotice("a", "a:7411", 1, 0, "x", null);

  private final AtomicLong nanos = new AtomicLong();
  private final KnownLeader state = new KnownLeader();
  private final DatabaseReachability contact = new DatabaseReachability(nanos::get);

  /** Brings an actor into a state, in which it must know the message that follows. */
  private interface State<C> {
    void enter(BehaviorTestKit<C> actor);
  }

  private static <C> void handlesAll(
      Class<C> protocol, Behavior<C> behavior, State<C> state, Object... values) {
    List<C> samples = Messages.oneOfEach(protocol, values);
    assertEquals(protocol.getPermittedSubclasses().length, samples.size());
    for (C sample : samples) {
      BehaviorTestKit<C> actor = BehaviorTestKit.create(behavior);
      state.enter(actor);
      actor.run(sample);
      assertFalse(Behavior.isUnhandled(actor.returnedBehavior()), sample.toString());
    }
  }

  @Test
  void a_forwarder_handles_all_whether_it_knows_the_leader_or_not() {
    TestInbox<LeaderCommand> leader = TestInbox.create();
    TestInbox<Object> user = TestInbox.create();
    ForwardedAnswer answer = new ForwardedAnswer(1, 200, "x", Map.of(), new byte[0]);
    Object[] values = {answer, NOTICE, user.getRef()};
    RequestForwarder.Command address = new RequestForwarder.ForwardTo(leader.getRef());
    List<RequestForwarder.Command> all = Messages.oneOfEach(RequestForwarder.Command.class, values);
    RequestForwarder.Command heard = named("Heard", all);
    RequestForwarder.Command request = named("Forward", all);
    List<List<RequestForwarder.Command>> states =
        List.of(
            List.of(),
            List.of(address),
            List.of(address, request),
            List.of(address, heard),
            List.of(address, heard, request));
    for (List<RequestForwarder.Command> before : states) {
      handlesAll(
          RequestForwarder.Command.class,
          RequestForwarder.create(new KnownLeader(), nanos::get),
          forwarder -> before.forEach(forwarder::run),
          values);
    }
  }

  private static <C> C named(String name, List<C> messages) {
    return messages.stream()
        .filter(message -> message.getClass().getSimpleName().equals(name))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void a_watch_handles_all_whether_this_member_leads_and_reaches_the_state_or_not() {
    DatabaseLossHandover.Command look = Messages.only(DatabaseLossHandover.Command.class, "Look");
    State<DatabaseLossHandover.Command> follows = watch -> watch.run(look);
    State<DatabaseLossHandover.Command> leads =
        watch -> {
          state.leads(TestInbox.<CoordinatorCommand>create().getRef());
          contact.reached();
          watch.run(look);
        };
    State<DatabaseLossHandover.Command> lost =
        watch -> {
          leads.enter(watch);
          nanos.addAndGet(DatabaseReachability.FRESH.toNanos());
          watch.run(look);
        };
    State<DatabaseLossHandover.Command> asks =
        watch -> {
          lost.enter(watch);
          nanos.addAndGet(DatabaseLossHandover.PATIENCE.toNanos());
          watch.run(look);
        };
    for (State<DatabaseLossHandover.Command> each : List.of(follows, leads, lost, asks)) {
      handlesAll(
          DatabaseLossHandover.Command.class,
          DatabaseLossHandover.create(
              state,
              contact,
              CompletableFuture::new,
              new SingleServerMembership("127.0.0.1:1", contact, Optional::empty),
              nanos::get),
          each);
    }
  }

  @Test
  void a_formation_handles_all_before_it_has_joined_and_while_it_joins() throws Exception {
    LocalMemberConfig alone =
        MemberSamples.first(
            "127.0.0",
            Path.of("none.key"),
            ClusterSecret.create("ann", "token", Instant.EPOCH)); // nobody else is there
    ActorTestKit kit =
        ActorTestKit.create(
            ConfigFactory.parseString(
                    "pekko.loglevel = OFF\npekko.remote.artery.transport = tcp\n"
                        + "pekko.cluster.min-nr-of-members = 2") // so that it joins for long
                .withFallback(ConfigFactory.load("coordinator")));
    try {
      TestProbe<UnhandledMessage> unhandled = kit.createUnhandledMessageProbe();
      ActorRef<ClusterFormation.Command> formation =
          kit.spawn(
              ClusterFormation.create(alone, new ClusterFormationStatus(), CompletableFuture::new));
      List<ClusterFormation.Command> all =
          Messages.oneOfEach(ClusterFormation.Command.class, Optional.empty());
      all.forEach(formation::tell);
      Cluster cluster = Cluster.get(kit.system());
      cluster.manager().tell(Join.create(cluster.selfMember().address()));
      unhandled.awaitAssert(
          Duration.ofSeconds(20),
          () -> {
            assertEquals("Joining", cluster.selfMember().status().toString());
            return null;
          });
      all.forEach(formation::tell);
      unhandled.expectNoMessage(Duration.ofMillis(500));
    } finally {
      kit.shutdownTestKit();
    }
  }

  @Test
  void no_actor_of_a_member_is_left_out_here() {
    List<String> actors = new ArrayList<>();
    ProductionClasses.ALL.stream()
        .filter(type -> type.getPackageName().equals(ClusterMessage.class.getPackageName()))
        .filter(type -> type.getSimpleName().equals("Command"))
        .forEach(
            protocol -> actors.add(protocol.getEnclosingClass().orElseThrow().getSimpleName()));
    assertEquals(
        List.of("ClusterFormation", "DatabaseLossHandover", "RequestForwarder"),
        actors.stream().sorted().toList());
  }
}
