package io.remuda.coordinator.actor;

import io.remuda.agent.protocol.BuildVersion;
import io.remuda.coordinator.api.CoordinatorCommand;
import io.remuda.coordinator.cluster.ForwardedRequestResponder;
import io.remuda.coordinator.cluster.KnownLeader;
import io.remuda.coordinator.cluster.LeaderCommand;
import io.remuda.coordinator.cluster.LeaderNotice;
import io.remuda.coordinator.cluster.NewLeaderStateSource;
import io.remuda.coordinator.commit.CoordinatorPersistence;
import io.remuda.coordinator.settings.CoordinatorSettings;
import io.remuda.coordinator.status.RunNodesStatus;
import io.remuda.coordinator.store.JournalWriter;
import io.remuda.coordinator.store.StoreOpener;
import io.remuda.coordinator.store.StoreTooLargeException;
import io.remuda.coordinator.store.row.OtherBuildStateException;
import io.remuda.thread.DaemonThread;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.BehaviorBuilder;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
import org.apache.pekko.cluster.typed.Cluster;
import org.apache.pekko.cluster.typed.ClusterSingleton;
import org.apache.pekko.cluster.typed.Join;
import org.apache.pekko.cluster.typed.SingletonActor;

/**
 * The leader of a job service, a singleton among its members: it takes the state over, runs the
 * {@link Coordinator} on it, and answers what other members forward. When another member is to
 * lead, it commits what is queued and gives the state up first.
 */
public final class LeadingCoordinator {

  private static final Duration SAMPLE = Duration.ofSeconds(1);
  private static final Duration AGAIN = Duration.ofSeconds(1);
  private static final long LEFT_AGAIN_NANOS = Duration.ofMinutes(30).toNanos();

  /** When this process last left the leadership for want of memory; null if it never did. */
  private static final AtomicReference<Long> LEFT_FOR_MEMORY = new AtomicReference<>();

  /** An event for the guardian of this process. */
  public sealed interface Event {}

  /** The coordinator runs here. */
  public record Leads(StoreOpener.Opened store, ActorRef<CoordinatorCommand> coordinator)
      implements Event {}

  /** The coordinator has ended here, normally or by a failure. */
  public enum LeadsNoMore implements Event {
    INSTANCE
  }

  /** It is to lead, and only a member of another build can lead on this state. */
  public record CannotLead(String why) implements Event {}

  /**
   * The parts of a leader.
   *
   * @param member name of this member
   * @param agents {@code HOST:PORT} that agents of this member dial
   * @param requests answers forwarded requests
   * @param leader learns who leads
   * @param status receives the status with each tick
   * @param clock wall clock for recorded times
   * @param nanoClock monotonic, for the rules
   */
  public record Parts(
      CoordinatorSettings settings,
      String member,
      String agents,
      NewLeaderStateSource source,
      ForwardedRequestResponder requests,
      KnownLeader leader,
      ActorRef<RunNodesStatus> status,
      ActorRef<Event> guardian,
      Clock clock,
      LongSupplier nanoClock) {}

  /** Another member is to lead; sent by the cluster. */
  enum HandOver implements LeaderCommand {
    INSTANCE
  }

  private enum OpenAgain implements LeaderCommand {
    INSTANCE
  }

  private record StateOpened(StoreOpener.Opened store) implements LeaderCommand {}

  private record CannotOpen(Throwable cause) implements LeaderCommand {}

  private enum CoordinatorEnded implements LeaderCommand {
    INSTANCE
  }

  private enum StateClosed implements LeaderCommand {
    INSTANCE
  }

  private final ActorContext<LeaderCommand> context;
  private final TimerScheduler<LeaderCommand> timers;
  private final Parts parts;
  private CompletionStage<StoreOpener.Opened> opened;

  private LeadingCoordinator(
      ActorContext<LeaderCommand> context, TimerScheduler<LeaderCommand> timers, Parts parts) {
    this.context = context;
    this.timers = timers;
    this.parts = parts;
  }

  /** Creates the behaviour of a leader. */
  static Behavior<LeaderCommand> create(Parts parts) {
    return Behaviors.setup(
        context ->
            Behaviors.withTimers(
                timers -> new LeadingCoordinator(context, timers, parts).open("")));
  }

  /**
   * Has one member of the system's cluster lead.
   *
   * @return whoever leads
   */
  public static ActorRef<LeaderCommand> start(ActorSystem<?> system, Parts parts) {
    return ClusterSingleton.get(system)
        .init(
            SingletonActor.of(
                    Behaviors.supervise(create(parts)).onFailure(SupervisorStrategy.stop()),
                    "leader")
                .withStopMessage(HandOver.INSTANCE));
  }

  /** Makes a cluster of this process alone. */
  public static void joinAlone(ActorSystem<?> system) {
    Cluster cluster = Cluster.get(system);
    cluster.manager().tell(Join.create(cluster.selfMember().address()));
  }

  private Behavior<LeaderCommand> open(String lastFault) {
    opened = parts.source().open();
    context.pipeToSelf(
        opened,
        (store, fault) -> fault == null ? new StateOpened(store) : new CannotOpen(root(fault)));
    return opening(lastFault);
  }

  private static Throwable root(Throwable fault) {
    return fault.getCause() == null ? fault : root(fault.getCause());
  }

  /** Members do not hear of a leader until the state is there, and keep their requests. */
  private Behavior<LeaderCommand> opening(String lastFault) {
    return Behaviors.receive(LeaderCommand.class)
        .onMessage(StateOpened.class, event -> lead(event.store()))
        .onMessage(CannotOpen.class, event -> onCannotOpen(event, lastFault))
        .onMessage(HandOver.class, message -> leavingBeforeStart())
        .onAnyMessage(message -> Behaviors.same())
        .onSignal(PostStop.class, signal -> stoppedBeforeStart())
        .build();
  }

  /**
   * Returns whether another member is to try, which may have more memory: once in a while, also
   * over a new start within this process, for where none has enough each would leave for the next.
   */
  private static boolean mayTryAnother() {
    long now = System.nanoTime();
    Long before = LEFT_FOR_MEMORY.get();
    return (before == null || now - before > LEFT_AGAIN_NANOS)
        && LEFT_FOR_MEMORY.compareAndSet(before, now);
  }

  private Behavior<LeaderCommand> onCannotOpen(CannotOpen event, String lastFault) {
    String fault = String.valueOf(event.cause().getMessage());
    parts.leader().cannotLead(fault);
    if (event.cause() instanceof OtherBuildStateException
        || event.cause() instanceof StoreTooLargeException && mayTryAnother()) {
      parts.guardian().tell(new CannotLead(fault));
    }
    if (!fault.equals(lastFault)) {
      context.getLog().error("this member is to lead and waits for the state: {}", fault);
    }
    timers.startSingleTimer(OpenAgain.INSTANCE, AGAIN);
    return Behaviors.receive(LeaderCommand.class)
        .onMessage(OpenAgain.class, message -> open(fault))
        .onMessage(HandOver.class, message -> Behaviors.stopped())
        .onAnyMessage(message -> Behaviors.same())
        .onSignal(PostStop.class, signal -> stoppedBeforeStart())
        .build();
  }

  private Behavior<LeaderCommand> leavingBeforeStart() {
    return Behaviors.receive(LeaderCommand.class)
        .onMessage(StateOpened.class, event -> close(event.store().journal()))
        .onMessage(CannotOpen.class, event -> Behaviors.stopped())
        .onAnyMessage(message -> Behaviors.same())
        .onSignal(PostStop.class, signal -> stoppedBeforeStart())
        .build();
  }

  /** A state that opens after this is closed again, so that it keeps nobody out. */
  private Behavior<LeaderCommand> stoppedBeforeStart() {
    opened.thenAccept(late -> closeOnItsOwn(late.journal()));
    parts.guardian().tell(LeadsNoMore.INSTANCE);
    return Behaviors.same();
  }

  private Behavior<LeaderCommand> lead(StoreOpener.Opened store) {
    CoordinatorSettings settings = parts.settings();
    ActorRef<CoordinatorCommand> coordinator =
        context.spawn(
            Behaviors.supervise(
                    Coordinator.create(
                        new Coordinator.Settings(
                            "service",
                            store.state().epoch(),
                            settings.contactDeadline(),
                            settings.tick(),
                            SAMPLE,
                            settings.retry(),
                            settings.sharing(),
                            store.isNew() ? Duration.ZERO : settings.nodesReturn(),
                            settings.limits(),
                            settings.notices()),
                        parts.nanoClock(),
                        new Coordinator.Subscribers(
                            context.getSystem().ignoreRef(),
                            context.getSystem().ignoreRef(),
                            parts.status(),
                            context.getSystem().ignoreRef()),
                        CoordinatorPersistence.over(store.journal(), store.state(), parts.clock())))
                .onFailure(SupervisorStrategy.stop()),
            "coordinator");
    context.watchWith(coordinator, CoordinatorEnded.INSTANCE);
    parts.leader().leads(coordinator);
    parts.guardian().tell(new Leads(store, coordinator));
    LeaderNotice notice =
        new LeaderNotice(
            parts.member(),
            parts.agents(),
            store.state().epoch(),
            parts.clock().millis(),
            BuildVersion.VERSION,
            null);
    return leading(coordinator, store.journal(), notice);
  }

  private Behavior<LeaderCommand> leading(
      ActorRef<CoordinatorCommand> coordinator, JournalWriter journal, LeaderNotice notice) {
    return untilStopped(journal)
        .onMessage(
            LeaderCommand.ForwardedRequest.class,
            request -> {
              parts.requests().answer(request);
              return Behaviors.same();
            })
        .onMessage(LeaderCommand.LookAtLeader.class, question -> onLook(question, notice, journal))
        .onMessage(
            HandOver.class,
            message -> {
              context.stop(coordinator);
              return leaving(journal);
            })
        .onMessage(CoordinatorEnded.class, event -> close(journal))
        .build();
  }

  private Behavior<LeaderCommand> onLook(
      LeaderCommand.LookAtLeader question, LeaderNotice notice, JournalWriter journal) {
    question
        .replyTo()
        .tell(
            new LeaderNotice(
                notice.member(),
                notice.agents(),
                notice.epoch(),
                notice.since(),
                notice.build(),
                journal.trouble().orElse(null)));
    return Behaviors.same();
  }

  private Behavior<LeaderCommand> leaving(JournalWriter journal) {
    return untilStopped(journal)
        .onMessage(CoordinatorEnded.class, event -> close(journal))
        .onAnyMessage(message -> Behaviors.same()) // asked again once another member leads
        .build();
  }

  /** An actor that is stopped by force gives the state up all the same. */
  private BehaviorBuilder<LeaderCommand> untilStopped(JournalWriter journal) {
    return Behaviors.receive(LeaderCommand.class)
        .onSignal(
            PostStop.class,
            signal -> {
              parts.leader().leadsNoMore();
              closeOnItsOwn(journal);
              parts.guardian().tell(LeadsNoMore.INSTANCE);
              return Behaviors.same();
            });
  }

  /** Commits what is queued and closes the state, so that the next leader need not wait for it. */
  private Behavior<LeaderCommand> close(JournalWriter journal) {
    parts.leader().leadsNoMore();
    parts.guardian().tell(LeadsNoMore.INSTANCE);
    context.pipeToSelf(
        CompletableFuture.runAsync(
            journal::close,
            context
                .getSystem()
                .dispatchers()
                .lookup(DispatcherSelector.fromConfig("remuda.blocking-dispatcher"))),
        (nothing, fault) -> StateClosed.INSTANCE);
    return Behaviors.receive(LeaderCommand.class)
        .onMessage(StateClosed.class, event -> Behaviors.stopped())
        .onAnyMessage(message -> Behaviors.same())
        .build();
  }

  private static void closeOnItsOwn(JournalWriter journal) {
    DaemonThread.start("journal-end", journal::close);
  }
}
