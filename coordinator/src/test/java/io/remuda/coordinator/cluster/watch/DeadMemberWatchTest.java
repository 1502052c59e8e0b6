package io.remuda.coordinator.cluster.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.typesafe.config.ConfigFactory;
import io.remuda.coordinator.testkit.Messages;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.BehaviorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.ManualTime;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DeadMemberWatchTest {

  /** The others of a cluster of {@code a} and these, of which some refuse connections. */
  static final class Others implements DeadMemberWatch.Peers {
    private final Map<String, Boolean> refusing = new HashMap<>();
    private final Set<String> answering = new HashSet<>();
    private final Map<String, Boolean> seenByPeers = new HashMap<>();
    private final List<String> dialled = new ArrayList<>();
    private final Set<String> removed = new TreeSet<>();
    private ActorRef<DeadMemberWatch.Command> watch;

    Others(Map<String, Boolean> refusing) {
      this.refusing.putAll(refusing);
    }

    @Override
    public Set<String> present() {
      Set<String> left = new TreeSet<>(refusing.keySet());
      left.removeAll(removed);
      return left;
    }

    @Override
    public void tell(String member, DeadMemberWatch.Command message) {
      if (message instanceof DeadMemberWatch.Ping ping && answering.contains(member)) {
        ping.replyTo().tell(new DeadMemberWatch.Pong(member));
      } else if (message instanceof DeadMemberWatch.LookAt question
          && seenByPeers.containsKey(member)) {
        question
            .replyTo()
            .tell(new DeadMemberWatch.Seen(question.suspect(), member, seenByPeers.get(member)));
      }
    }

    @Override
    public CompletionStage<Boolean> refuses(String member) {
      dialled.add(member);
      return CompletableFuture.completedFuture(refusing.get(member));
    }

    @Override
    public void forgetRemoved() {
      // there is no failure detector here
    }

    @Override
    public void remove(String member) {
      removed.add(member);
    }
  }

  private static final ActorTestKit KIT =
      ActorTestKit.create(
          ManualTime.config().withFallback(ConfigFactory.parseString("pekko.loglevel = ERROR")));

  private final ManualTime time = ManualTime.get(KIT.system());
  private final AtomicLong nanos = new AtomicLong(1);
  private final Others others = new Others(Map.of("b", false, "c", false));

  @AfterEach
  void stop() {
    if (others.watch != null) {
      KIT.stop(others.watch);
    }
  }

  @AfterAll
  static void end() {
    KIT.shutdownTestKit();
  }

  private void start() {
    others.watch =
        KIT.spawn(
            DeadMemberWatch.create("a", 2, others, nanos::get),
            DispatcherSelector.fromConfig("pekko.test.calling-thread-dispatcher"));
  }

  private void pass(Duration length) {
    for (long left = length.toMillis(); left > 0; left -= DeadMemberWatch.LOOK_EVERY.toMillis()) {
      nanos.addAndGet(DeadMemberWatch.LOOK_EVERY.toNanos());
      time.timePasses(DeadMemberWatch.LOOK_EVERY);
    }
  }

  /** Both others answer for a second, then {@code member} is silent. */
  private void silence(String member) {
    others.answering.addAll(Set.of("b", "c"));
    start();
    pass(Duration.ofSeconds(1));
    assertEquals(List.of(), others.dialled, "nobody is dialled who answers");
    others.answering.remove(member);
  }

  @Test
  void a_member_that_refuses_this_one_and_another_is_removed_within_half_a_second() {
    silence("b");
    others.refusing.put("b", true);
    others.seenByPeers.put("c", true);
    pass(Duration.ofMillis(400));
    assertEquals(Set.of("b"), others.removed);
  }

  @Test
  void one_that_refuses_this_member_alone_stays() {
    silence("b");
    others.refusing.put("b", true);
    others.seenByPeers.put("c", false);
    pass(Duration.ofSeconds(1));
    assertEquals(Set.of(), others.removed);
  }

  @Test
  void one_of_which_nobody_else_can_say_anything_stays() {
    silence("b");
    others.refusing.put("b", true);
    pass(Duration.ofSeconds(1));
    assertEquals(Set.of(), others.removed);
  }

  @Test
  void one_that_is_silent_and_listens_is_dialled_twice_a_second_and_stays() {
    silence("b");
    others.seenByPeers.put("c", true);
    pass(Duration.ofSeconds(1));
    assertEquals(Set.of(), others.removed);
    assertEquals(Set.of("b"), Set.copyOf(others.dialled));
    assertEquals(2, others.dialled.size());
  }

  @Test
  void one_that_answers_before_the_other_has_looked_stays() {
    silence("b");
    others.refusing.put("b", true);
    pass(Duration.ofMillis(300));
    others.answering.add("b");
    pass(Duration.ofMillis(200));
    others.watch.tell(new DeadMemberWatch.Seen("b", "c", true)); // late
    assertEquals(Set.of(), others.removed);
  }

  @Test
  void one_that_listens_again_is_not_removed_by_what_was_seen_before() {
    silence("b");
    others.refusing.put("b", true);
    pass(Duration.ofMillis(400)); // refuses this one
    others.refusing.put("b", false);
    pass(Duration.ofMillis(600)); // dialled again: it has started anew and does not answer yet
    others.watch.tell(new DeadMemberWatch.Seen("b", "c", true)); // from before
    pass(Duration.ofMillis(100));
    assertEquals(Set.of(), others.removed);
  }

  @Test
  void one_of_a_build_that_never_answers_is_left_to_the_failure_detector() {
    others.refusing.put("b", true);
    others.seenByPeers.put("c", true);
    start();
    pass(Duration.ofSeconds(1));
    assertEquals(List.of(), others.dialled);
  }

  @Test
  void a_member_that_is_asked_says_what_it_has_seen_itself() {
    others.refusing.put("b", true);
    start();
    var asker = KIT.<DeadMemberWatch.Seen>createTestProbe();
    others.watch.tell(new DeadMemberWatch.LookAt("b", asker.getRef()));
    assertEquals(new DeadMemberWatch.Seen("b", "a", true), asker.receiveMessage());
    assertEquals(Set.of(), others.removed, "the one that asks removes it");
  }

  @Test
  void each_message_is_handled() {
    Object address = TestInbox.create().getRef();
    for (DeadMemberWatch.Command each :
        Messages.oneOfEach(DeadMemberWatch.Command.class, address)) {
      BehaviorTestKit<DeadMemberWatch.Command> actor =
          BehaviorTestKit.create(DeadMemberWatch.create("a", 2, others, nanos::get));
      actor.run(each);
      assertFalse(Behavior.isUnhandled(actor.returnedBehavior()), each.toString());
    }
  }
}
