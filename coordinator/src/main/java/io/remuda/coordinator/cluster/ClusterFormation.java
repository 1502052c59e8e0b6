package io.remuda.coordinator.cluster;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.pekko.actor.Address;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
import org.apache.pekko.cluster.MemberStatus;
import org.apache.pekko.cluster.typed.Cluster;
import org.apache.pekko.cluster.typed.Join;
import org.apache.pekko.cluster.typed.JoinSeedNodes;
import org.apache.pekko.cluster.typed.Leave;

/**
 * Brings this member into the cluster: asks the others where they are, and joins or begins the
 * cluster by {@link FormationRule}. A member whose build cannot read the state stays out. A member
 * that began a cluster and stays alone in it leaves it, which ends its actor system, and so begins
 * anew.
 */
public final class ClusterFormation extends AbstractBehavior<ClusterFormation.Command> {

  private static final Duration LOOK_EVERY = Duration.ofMillis(300);

  /** After so many looks without coming up, the member begins anew. */
  private static final int MOST_LOOKS = 50;

  /** A message to the formation. */
  public sealed interface Command {}

  private enum Look implements Command {
    INSTANCE
  }

  private record Answers(Map<String, FormationRule.Answer> answers, Optional<String> outdated)
      implements Command {}

  private final LocalMemberConfig member;
  private final ClusterFormationStatus state;
  private final NewLeaderStateSource source;
  private final Cluster cluster;
  private final MemberProbe probe;
  private boolean asked;
  private int agreed;
  private int looks;

  private ClusterFormation(
      ActorContext<Command> context,
      TimerScheduler<Command> timers,
      LocalMemberConfig member,
      ClusterFormationStatus state,
      NewLeaderStateSource source) {
    super(context);
    this.member = member;
    this.state = state;
    this.source = source;
    this.cluster = Cluster.get(context.getSystem());
    this.probe = new MemberProbe(member);
    timers.startTimerWithFixedDelay(Look.INSTANCE, Duration.ZERO, LOOK_EVERY);
  }

  /**
   * Creates the behaviour.
   *
   * @param source of the state that all members lead on
   */
  public static Behavior<Command> create(
      LocalMemberConfig member, ClusterFormationStatus state, NewLeaderStateSource source) {
    return Behaviors.setup(
        context ->
            Behaviors.withTimers(
                timers -> new ClusterFormation(context, timers, member, state, source)));
  }

  @Override
  public Receive<Command> createReceive() {
    return newReceiveBuilder()
        .onMessage(Look.class, message -> onLook())
        .onMessage(Answers.class, this::onAnswers)
        .build();
  }

  private Behavior<Command> onLook() {
    boolean up =
        cluster.selfMember().status().equals(MemberStatus.up())
            || cluster.selfMember().status().equals(MemberStatus.weaklyUp());
    if (up) {
      return Behaviors.stopped();
    }
    if (isJoining()) {
      if (++looks > MOST_LOOKS) {
        getContext().getLog().warn("this coordinator is alone in its cluster and begins anew");
        cluster.manager().tell(Leave.create(cluster.selfMember().address()));
        looks = 0;
      }
      return this;
    }
    if (!asked) {
      asked = true;
      Optional<String> before = state.outdated();
      getContext()
          .pipeToSelf(
              probe.ask().thenCombine(probe.outdated(source, before), Answers::new),
              (answers, fault) -> fault == null ? answers : new Answers(Map.of(), before));
    }
    return this;
  }

  private boolean isJoining() {
    return cluster.state().getMembers().iterator().hasNext();
  }

  private Behavior<Command> onAnswers(Answers event) {
    asked = false;
    if (isJoining()) {
      return this;
    }
    if (event.outdated().isPresent()) {
      state.staysOut(event.outdated().get());
      agreed = 0;
      return this;
    }
    FormationRule.Step step = FormationRule.next(member.cluster(), member.self(), event.answers());
    agreed = step == FormationRule.BeginCluster.INSTANCE ? agreed + 1 : 0;
    if (step instanceof FormationRule.JoinOther join) {
      state.waitsFor(new NotReadyReason("it joins the cluster of " + join.member().name()));
      cluster.manager().tell(new JoinSeedNodes(List.of(address(join.member()))));
    } else if (step instanceof FormationRule.Wait wait) {
      tellOfKeys(event.answers(), wait.reason());
      state.waitsFor(wait.reason());
    } else if (agreed > 1) { // twice in a row, so that those who start together see each other
      state.waitsFor(new NotReadyReason("it begins the cluster"));
      cluster.manager().tell(Join.create(cluster.selfMember().address()));
    }
    return this;
  }

  /** Tells who looks at this process: waiting does not make a key the right one. */
  private void tellOfKeys(Map<String, FormationRule.Answer> answers, NotReadyReason reason) {
    if (answers.containsValue(FormationRule.AnotherKey.INSTANCE)
        && !reason.what().equals(state.waitsFor().what())) {
      getContext().getLog().warn("{}", reason.what());
    }
  }

  private Address address(ClusterFile.Member other) {
    Address own = cluster.selfMember().address();
    return new Address(own.protocol(), own.system(), other.host(), other.coordinatorPort());
  }
}
