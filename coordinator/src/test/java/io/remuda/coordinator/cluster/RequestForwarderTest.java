package io.remuda.coordinator.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.typesafe.config.ConfigFactory;
import io.remuda.coordinator.api.Rejection;
import io.remuda.coordinator.api.Reply;
import io.remuda.coordinator.cluster.LeaderCommand.ForwardedRequest;
import io.remuda.coordinator.cluster.LeaderCommand.LookAtLeader;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.ManualTime;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RequestForwarderTest {
  private final ActorTestKit kit =
      ActorTestKit.create(
          ManualTime.config().withFallback(ConfigFactory.parseString("pekko.loglevel = WARNING")));
  private final ManualTime time = ManualTime.get(kit.system());
  private final AtomicLong nanos = new AtomicLong();
  private final KnownLeader state = new KnownLeader();
  private final TestProbe<LeaderCommand> leader = kit.createTestProbe();
  private final TestProbe<Reply<ForwardedAnswer>> user = kit.createTestProbe();
  private ActorRef<RequestForwarder.Command> forwarder;

  @BeforeEach
  void spawn() {
    forwarder = kit.spawn(RequestForwarder.create(state, nanos::get));
  }

  @AfterEach
  void end() {
    kit.shutdownTestKit();
  }

  private void reachable() {
    forwarder.tell(new RequestForwarder.ForwardTo(leader.ref()));
  }

  private void forward(String method, String target, String body) {
    forward(method, target, body, RequestForwarder.Attempt.FIRST);
  }

  private void forward(
      String method, String target, String body, RequestForwarder.Attempt attempt) {
    forwarder.tell(
        new RequestForwarder.Forward(
            "ann", false, method, target, body.getBytes(), attempt, user.ref()));
  }

  /** Returns the next forwarded request; questions about the leader are passed over. */
  private ForwardedRequest forwarded() {
    LeaderCommand message = leader.receiveMessage();
    return message instanceof ForwardedRequest request ? request : forwarded();
  }

  private LookAtLeader looked() {
    LeaderCommand message = leader.receiveMessage();
    return message instanceof LookAtLeader look ? look : looked();
  }

  private void pass(Duration duration) {
    nanos.addAndGet(duration.toNanos());
    time.timePasses(duration);
  }

  private void leads(String member, long epoch) {
    pass(RequestForwarder.LOOK_AGAIN);
    looked().replyTo().tell(new LeaderNotice(member, member + ":7411", epoch, 0, "x", null));
    user.awaitAssert(
        () -> {
          assertEquals(Optional.of(epoch), state.notice().map(LeaderNotice::epoch));
          return null;
        });
  }

  private static ForwardedAnswer ok(ForwardedRequest request) {
    return new ForwardedAnswer(request.id(), 200, "application/json", Map.of(), new byte[0]);
  }

  private Rejection refused() {
    return assertInstanceOf(Reply.No.class, user.receiveMessage()).rejection();
  }

  @Test
  void an_answer_goes_to_the_one_who_asked() {
    reachable();
    leads("a", 1);
    forward("GET", "/nodes", "");
    ForwardedRequest request = forwarded();
    assertEquals(
        "ann GET /nodes", request.user() + " " + request.method() + " " + request.target());
    request.replyTo().tell(ok(request));
    user.expectMessage(Reply.of(ok(request)));
  }

  @Test
  void a_request_waits_until_it_is_known_where_the_leader_is() {
    forward("GET", "/nodes", "");
    reachable();
    looked(); // and no request before it
    leads("a", 1);
    assertEquals("/nodes", forwarded().target());
  }

  @Test
  void what_a_dead_leader_has_not_answered_is_sent_to_the_next_and_answered_once() {
    reachable();
    leads("a", 1);
    forward("POST", "/jobs/3/cancel", "");
    ForwardedRequest lost = forwarded();
    leads("b", 2);
    ForwardedRequest again = forwarded();
    assertEquals(lost.target(), again.target());
    again.replyTo().tell(ok(again));
    lost.replyTo().tell(ok(lost)); // the first leader was only slow
    user.expectMessage(Reply.of(ok(again)));
    user.expectNoMessage(Duration.ofMillis(50));
  }

  @Test
  void a_submission_with_a_key_is_repeated() {
    reachable();
    leads("a", 1);
    forward("POST", "/jobs", "{\"argv\":[\"true\"],\"clientKey\":\"k\"}");
    forwarded();
    leads("b", 2);
    assertEquals("/jobs", forwarded().target());
  }

  @Test
  void a_submission_without_a_key_is_not_repeated_and_its_user_is_told() {
    reachable();
    leads("a", 1);
    forward("POST", "/jobs", "{\"argv\":[\"true\"]}");
    forwarded();
    leads("b", 2);
    Rejection refused = refused();
    assertEquals(Rejection.Code.MAYBE_DONE, refused.code());
    assertTrue(refused.message().contains("may not be repeated"), refused.message());
  }

  /** As one that a later build adds: what it does a second time is not known here. */
  @Test
  void a_route_that_the_table_does_not_have_is_forwarded_and_not_repeated() {
    reachable();
    leads("a", 1);
    forward("POST", "/jobs/3/copy", "{\"clientKey\":\"k\"}");
    assertEquals("/jobs/3/copy", forwarded().target());
    leads("b", 2);
    assertEquals(Rejection.Code.MAYBE_DONE, refused().code());
    forward("GET", "/nodes", "");
    assertEquals("/nodes", forwarded().target(), "and nothing before it");
  }

  @Test
  void keys_are_looked_for_where_they_count() {
    reachable();
    leads("a", 1);
    String one = "{\"argv\":[\"true\"],\"clientKey\":\"k\"}";
    forward("POST", "/jobs/", "{\"argv\":[\"true\"]}");
    forward("POST", "/jobs", "{\"argv\":[\"true\"],\"env\":{\"clientKey\":\"k\"}}");
    forward("POST", "/jobs", "{\"clientKey\":null}");
    forward("POST", "/jobs", "{\"jobs\":[" + one + ",{\"argv\":[\"true\"]}]}");
    forward("POST", "/users", "{\"name\":\"bob\"}");
    forward("POST", "/jobs/3/requeue", "");
    forward("POST", "/jobs/3/signal?signal=USR1", "");
    forward("POST", "/jobs/3/tasks/2/signal?signal=USR1", "");
    forward("POST", "/jobs", "{\"jobs\":[" + one + "]}");
    for (int request = 0; request < 9; request++) {
      forwarded();
    }
    leads("b", 2);
    for (int request = 0; request < 8; request++) {
      assertEquals(Rejection.Code.MAYBE_DONE, refused().code());
    }
    assertEquals("/jobs", forwarded().target());
    user.expectNoMessage(Duration.ofMillis(50));
  }

  @Test
  void what_was_refused_for_want_of_a_leader_is_never_sent() {
    reachable();
    forward("POST", "/jobs/3/cancel", "");
    looked();
    pass(RequestForwarder.LOOK_EVERY);
    looked(); // so that the request is there
    pass(RequestForwarder.PATIENCE);
    assertEquals("no coordinator leads at present", refused().message());
    leads("a", 1);
    forward("GET", "/nodes", "");
    assertEquals("/nodes", forwarded().target());
  }

  @Test
  void what_a_leader_had_and_never_answered_may_be_done_unless_twice_does_no_harm() {
    reachable();
    leads("a", 1);
    forward("POST", "/jobs/3/requeue", "");
    forward("POST", "/jobs/3/cancel", "");
    forwarded();
    forwarded();
    pass(RequestForwarder.PATIENCE);
    assertEquals(Rejection.Code.MAYBE_DONE, refused().code());
    assertEquals(Rejection.Code.NO_LEADER, refused().code());
  }

  @Test
  void a_leader_that_is_silent_is_not_named_any_more() {
    reachable();
    leads("a", 1);
    pass(RequestForwarder.SILENCE.plus(RequestForwarder.LOOK_EVERY));
    user.awaitAssert(
        () -> {
          assertEquals(Optional.empty(), state.notice());
          return null;
        });
  }

  @Test
  void a_leader_that_was_taken_over_is_not_believed() {
    reachable();
    leads("b", 2);
    pass(RequestForwarder.LOOK_AGAIN);
    looked().replyTo().tell(new LeaderNotice("a", "a:7411", 1, 0, "x", null));
    pass(RequestForwarder.LOOK_AGAIN);
    looked();
    assertEquals(Optional.of("b"), state.notice().map(LeaderNotice::member));
  }

  @Test
  void what_a_leader_here_had_when_it_left_goes_to_the_next_one_if_it_may_be_repeated() {
    reachable();
    leads("b", 2);
    String unnamed = "{\"argv\":[\"true\"]}";
    forward("POST", "/jobs", unnamed, RequestForwarder.Attempt.REPEATED);
    assertTrue(refused().message().contains("may not be repeated"));
    String named = "{\"argv\":[\"true\"],\"clientKey\":\"k\"}";
    forward("POST", "/jobs", named, RequestForwarder.Attempt.REPEATED);
    assertEquals(named, new String(forwarded().body()));
  }
}
