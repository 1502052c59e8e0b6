package io.remuda.coordinator.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.typesafe.config.ConfigFactory;
import io.remuda.coordinator.access.MemberKeyFingerprints;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.ManualTime;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DatabaseLossHandoverTest {
  private final ActorTestKit kit =
      ActorTestKit.create(
          ManualTime.config().withFallback(ConfigFactory.parseString("pekko.loglevel = ERROR")));
  private final ManualTime time = ManualTime.get(kit.system());
  private final AtomicLong nanos = new AtomicLong();
  private final KnownLeader leader = new KnownLeader();
  private final DatabaseReachability contact = new DatabaseReachability(nanos::get);
  private final AtomicBoolean anotherReaches = new AtomicBoolean(true);
  private final AtomicInteger asked = new AtomicInteger();
  private final Handed membership = new Handed();

  @AfterEach
  void end() {
    kit.shutdownTestKit();
  }

  private void watch() {
    kit.spawn(
        DatabaseLossHandover.create(
            leader,
            contact,
            () -> {
              asked.incrementAndGet();
              return CompletableFuture.completedFuture(anotherReaches.get());
            },
            membership,
            nanos::get),
        DispatcherSelector.fromConfig("pekko.test.calling-thread-dispatcher")); // looks at once
  }

  /** Lets seconds pass, in each of which the actor looks once. */
  private void pass(int seconds) {
    for (int i = 0; i < seconds; i++) {
      nanos.addAndGet(DatabaseLossHandover.LOOK_EVERY.toNanos());
      time.timePasses(DatabaseLossHandover.LOOK_EVERY);
    }
  }

  @Test
  void a_leader_that_alone_has_lost_the_database_hands_over_after_some_seconds() {
    leader.leads(kit.system().ignoreRef());
    watch();
    pass(5);
    assertEquals(0, membership.handedOver.get());
    pass(3);
    assertEquals(1, membership.handedOver.get());
  }

  @Test
  void one_that_is_to_lead_and_cannot_open_the_state_hands_over_too() {
    leader.cannotLead("connection refused");
    watch();
    pass(8);
    assertEquals(1, membership.handedOver.get());
  }

  @Test
  void while_nobody_reaches_the_database_the_leader_stays_and_asks_again() {
    anotherReaches.set(false);
    leader.leads(kit.system().ignoreRef());
    watch();
    pass(20);
    assertEquals(0, membership.handedOver.get());
    anotherReaches.set(true);
    pass(2);
    assertEquals(1, membership.handedOver.get());
  }

  @Test
  void a_database_that_was_away_for_a_moment_changes_nothing() {
    leader.leads(kit.system().ignoreRef());
    watch();
    for (int i = 0; i < 3; i++) {
      contact.reached();
      pass((int) DatabaseReachability.FRESH.toSeconds() + 3);
    }
    assertEquals(0, asked.get());
  }

  @Test
  void a_member_that_does_not_lead_has_nothing_to_hand_over() {
    watch();
    pass(20);
    assertEquals(0, asked.get());
  }

  private static final class Handed implements MembershipPort {
    private final AtomicInteger handedOver = new AtomicInteger();

    @Override
    public String self() {
      return "a";
    }

    @Override
    public List<ClusterMemberStatus> members() {
      return List.of();
    }

    @Override
    public Optional<NotReadyReason> notReady() {
      return Optional.empty();
    }

    @Override
    public Optional<MemberKeyFingerprints> keys() {
      return Optional.empty();
    }

    @Override
    public boolean reachesState() {
      return false;
    }

    @Override
    public Optional<String> handOver() {
      handedOver.incrementAndGet();
      return Optional.empty();
    }
  }
}
