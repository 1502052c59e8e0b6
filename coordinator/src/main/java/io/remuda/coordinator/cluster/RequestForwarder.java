package io.remuda.coordinator.cluster;

import io.remuda.coordinator.api.Rejection;
import io.remuda.coordinator.api.Reply;
import io.remuda.coordinator.route.RepeatableRequestRule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;

/**
 * Brings requests to the leader and its answers back, on each member. A request waits here until a
 * leader has been heard, so that one that is refused in the end is never carried out later. One
 * that was under way when the leader changed is sent to the next one, if repeating it does no harm.
 * It also keeps {@link KnownLeader} up to date, by asking the leader twice a second, and more often
 * while it does not answer.
 */
public final class RequestForwarder extends AbstractBehavior<RequestForwarder.Command> {

  /** Shorter than the client's own wait, so that the client learns the reason. */
  static final Duration PATIENCE = Duration.ofSeconds(28);

  static final Duration LOOK_EVERY = Duration.ofMillis(100);

  /** A leader that has answered is asked again after so long. */
  static final Duration LOOK_AGAIN = Duration.ofMillis(450);

  /** A leader that has not answered for so long is not named any more. */
  static final Duration SILENCE = Duration.ofSeconds(2);

  private static final int MOST = 4096;
  private static final long MOST_BYTES = 64 << 20;

  private static final String NOT_REPEATABLE =
      "another coordinator leads since this request, which may not be repeated";

  /** A message to the forwarder. */
  public sealed interface Command {}

  /** Where the leader is reached from now on; requests wait until this is known. */
  public record ForwardTo(ActorRef<LeaderCommand> leader) implements Command {}

  /** Whether a leader may have carried a request out already. */
  public enum Attempt {
    /** No leader has seen it. */
    FIRST,
    /** A leader had it when it ceased to lead. */
    REPEATED
  }

  /**
   * Forwards a request.
   *
   * @param target path and query below {@code /api/v1}
   * @param body empty for none
   */
  public record Forward(
      String user,
      boolean mayAll,
      String method,
      String target,
      byte[] body,
      Attempt attempt,
      ActorRef<Reply<ForwardedAnswer>> replyTo)
      implements Command {}

  private record Answered(ForwardedAnswer answer) implements Command {}

  private record Heard(LeaderNotice notice) implements Command {}

  private enum Look implements Command {
    INSTANCE
  }

  /**
   * A request without an answer.
   *
   * @param epoch of the leader to which it was sent, 0 if it was not sent yet
   * @param deadline monotonic time in nanoseconds
   */
  private record Pending(Forward forward, long epoch, long deadline) {}

  private final KnownLeader state;
  private final LongSupplier nanoClock;
  private final Map<Long, Pending> pending = new LinkedHashMap<>();
  private final ActorRef<ForwardedAnswer> answers;
  private final ActorRef<LeaderNotice> notices;
  private ActorRef<LeaderCommand> leader;
  private long pendingBytes;
  private long lastId;
  private long epoch;
  private long heardAt;
  private long askedAt;

  private RequestForwarder(
      ActorContext<Command> context,
      TimerScheduler<Command> timers,
      KnownLeader state,
      LongSupplier nanoClock) {
    super(context);
    this.state = state;
    this.nanoClock = nanoClock;
    this.answers = context.messageAdapter(ForwardedAnswer.class, Answered::new);
    this.notices = context.messageAdapter(LeaderNotice.class, Heard::new);
    timers.startTimerWithFixedDelay(Look.INSTANCE, LOOK_EVERY);
  }

  /**
   * Creates the behaviour of a forwarder.
   *
   * @param state that it keeps up to date
   * @param nanoClock monotonic clock in nanoseconds
   */
  public static Behavior<Command> create(KnownLeader state, LongSupplier nanoClock) {
    return Behaviors.setup(
        context ->
            Behaviors.withTimers(
                timers -> new RequestForwarder(context, timers, state, nanoClock)));
  }

  @Override
  public Receive<Command> createReceive() {
    return newReceiveBuilder()
        .onMessage(ForwardTo.class, this::onForwardTo)
        .onMessage(Forward.class, this::onForward)
        .onMessage(Answered.class, this::onAnswered)
        .onMessage(Heard.class, this::onHeard)
        .onMessage(Look.class, message -> onLook())
        .build();
  }

  private Behavior<Command> onForwardTo(ForwardTo command) {
    leader = command.leader();
    return onLook();
  }

  private Behavior<Command> onForward(Forward command) {
    if (command.attempt() == Attempt.REPEATED && !isRepeatable(command)) {
      refuseForGood(command, NOT_REPEATABLE);
      return this;
    }
    if (pending.size() >= MOST || pendingBytes + command.body().length > MOST_BYTES) {
      refuse(command, "more requests wait for the leader than are kept");
      return this;
    }
    long id = ++lastId;
    pendingBytes += command.body().length;
    pending.put(id, new Pending(command, 0, nanoClock.getAsLong() + PATIENCE.toNanos()));
    if (state.notice().isPresent()) {
      send(id);
    }
    return this;
  }

  private static boolean isRepeatable(Forward request) {
    return RepeatableRequestRule.is(request.method(), request.target(), request.body());
  }

  private Pending remove(long id) {
    Pending removed = pending.remove(id);
    if (removed != null) {
      pendingBytes -= removed.forward().body().length;
    }
    return removed;
  }

  private void send(long id) {
    Pending one = pending.get(id);
    pending.put(id, new Pending(one.forward(), epoch, one.deadline()));
    Forward forward = one.forward();
    leader.tell(
        new LeaderCommand.ForwardedRequest(
            id,
            forward.user(),
            forward.mayAll(),
            forward.method(),
            forward.target(),
            forward.body(),
            answers));
  }

  private Behavior<Command> onAnswered(Answered event) {
    Pending answered = remove(event.answer().id());
    if (answered != null) { // else it was answered by the leader before, or given up
      answered.forward().replyTo().tell(Reply.of(event.answer()));
    }
    return this;
  }

  private Behavior<Command> onHeard(Heard event) {
    if (event.notice().epoch() < epoch) {
      return this; // a leader that was taken over
    }
    heardAt = nanoClock.getAsLong();
    state.heard(event.notice());
    epoch = event.notice().epoch();
    for (long id : List.copyOf(pending.keySet())) {
      sendIfDue(id);
    }
    return this;
  }

  /** Sends what was not sent yet, and what an earlier leader has not answered. */
  private void sendIfDue(long id) {
    Pending one = pending.get(id);
    if (one.epoch() == 0 || (one.epoch() != epoch && isRepeatable(one.forward()))) {
      send(id);
    } else if (one.epoch() != epoch) {
      remove(id);
      refuseForGood(one.forward(), NOT_REPEATABLE);
    }
  }

  private Behavior<Command> onLook() {
    long now = nanoClock.getAsLong();
    if (state.notice().isPresent() && now - heardAt > SILENCE.toNanos()) {
      state.heard(null);
    }
    for (Map.Entry<Long, Pending> entry : new ArrayList<>(pending.entrySet())) {
      if (entry.getValue().deadline() - now <= 0) {
        remove(entry.getKey());
        refuse(entry.getValue());
      }
    }
    boolean answered = state.notice().isPresent() && heardAt - askedAt >= 0;
    if (leader != null && (!answered || now - askedAt >= LOOK_AGAIN.toNanos())) {
      askedAt = now;
      leader.tell(new LeaderCommand.LookAtLeader(notices));
    }
    return this;
  }

  /** Refuses a request whose time is over. */
  private void refuse(Pending late) {
    String silent = "the leader has not answered within " + PATIENCE.toSeconds() + " s";
    if (late.epoch() != 0 && !isRepeatable(late.forward())) {
      refuseForGood(late.forward(), silent);
    } else {
      refuse(
          late.forward(), state.notice().isPresent() ? silent : "no coordinator leads at present");
    }
  }

  private static void refuse(Forward forward, String why) {
    refuse(
        forward, new Rejection(Rejection.Code.NO_LEADER, why, "remuda cluster says who is there"));
  }

  private static void refuseForGood(Forward forward, String why) {
    refuse(
        forward,
        new Rejection(
            Rejection.Code.MAYBE_DONE,
            why,
            "look whether it was done before you send it again, and give submissions a clientKey"));
  }

  private static void refuse(Forward forward, Rejection no) {
    forward.replyTo().tell(Reply.no(no));
  }
}
