package io.remuda.coordinator.service;

import io.remuda.agent.protocol.AccessFile;
import io.remuda.agent.protocol.ClusterTls;
import io.remuda.coordinator.access.ClusterKey;
import io.remuda.coordinator.actor.AgentListener;
import io.remuda.coordinator.actor.Coordinator;
import io.remuda.coordinator.actor.DurableLog;
import io.remuda.coordinator.actor.EventLog;
import io.remuda.coordinator.actor.HandshakeRate;
import io.remuda.coordinator.actor.PostProcessor;
import io.remuda.coordinator.actor.Reply;
import io.remuda.coordinator.rest.BearerTokens;
import io.remuda.coordinator.rest.RestServer;
import io.remuda.coordinator.rest.StopMode;
import io.remuda.coordinator.settings.CoordinatorSettings;
import io.remuda.coordinator.status.StatusFile;
import io.remuda.coordinator.store.JobRows;
import io.remuda.coordinator.store.Journal;
import io.remuda.coordinator.store.LogEntry;
import io.remuda.coordinator.store.Store;
import io.remuda.coordinator.store.UserRow;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.cluster.typed.Cluster;
import org.apache.pekko.cluster.typed.ClusterSingleton;
import org.apache.pekko.cluster.typed.Join;
import org.apache.pekko.cluster.typed.SingletonActor;
import org.apache.pekko.http.javadsl.ServerBinding;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The root actor of a job service. It starts the coordinator as the cluster's singleton, over the
 * store, the listener for agents, and the HTTP interface.
 */
final class ServiceGuardian {

  /** A message to the guardian. */
  sealed interface Command {}

  /** Cancels what runs, waits until it has ended, and has all nodes end. */
  record EndTasks(Coordinator.Urgency urgency, ActorRef<NodesEnd> replyTo) implements Command {}

  /** The nodes were told to end. */
  enum NodesEnd {
    INSTANCE
  }

  /** Starts the service; the first message, sent once. */
  record Begin(Setup setup) implements Command {}

  private record AgentsListen(AgentListener.Answer answer) implements Command {}

  private record RestListens(ServerBinding binding) implements Command {}

  private record CannotServe(String cause) implements Command {}

  private record Stopped(long longestGraceMillis, ActorRef<NodesEnd> replyTo) implements Command {}

  /** Kills what still has its grace, since a second order to stop says so. */
  private enum KillTasks implements Command {
    INSTANCE
  }

  private record CountAgain(Instant deadline, ActorRef<NodesEnd> replyTo) implements Command {}

  private record Ending(int tasks, Instant deadline, ActorRef<NodesEnd> replyTo)
      implements Command {}

  private enum UserSaved implements Command {
    INSTANCE
  }

  private enum Tidy implements Command {
    INSTANCE
  }

  private enum LookAtDisk implements Command {
    INSTANCE
  }

  /** The addresses on which a service listens. */
  record Addresses(InetSocketAddress agents, InetSocketAddress rest) {}

  /**
   * The parts of a service.
   *
   * @param agents address to which agents connect; port 0 for any
   * @param rest address of the HTTP interface; port 0 for any
   * @param tls whether the HTTP interface uses TLS
   * @param status status file, for {@code remuda gpus}
   * @param clock wall clock for recorded times
   * @param token of the owner
   * @param renewed other users, whose tokens become invalid now
   * @param ending completed with the order to end the service
   * @param listening completed when the service listens or has failed
   */
  record Setup(
      CoordinatorSettings settings,
      ClusterKey key,
      InetSocketAddress agents,
      InetSocketAddress rest,
      boolean tls,
      Path status,
      Store.Opened store,
      Clock clock,
      BearerTokens tokens,
      String owner,
      String token,
      List<UserRow> renewed,
      CompletableFuture<JobService.End> ending,
      CompletableFuture<Addresses> listening) {}

  private static final Logger LOG = LoggerFactory.getLogger(ServiceGuardian.class);
  private static final Duration SAMPLE = Duration.ofSeconds(1);
  private static final Duration STOP_PATIENCE = Duration.ofSeconds(10);
  private static final Duration COUNT_EVERY = Duration.ofMillis(100);
  private static final Duration TIDY_EVERY = Duration.ofHours(1);
  private static final Duration LOOK_EVERY = Duration.ofSeconds(1);

  private final ActorContext<Command> context;
  private final Setup setup;
  private final ActorRef<Coordinator.Command> coordinator;
  private InetSocketAddress agentAddress;
  private int unsaved;
  private boolean standsStill;

  private ServiceGuardian(ActorContext<Command> context, Setup setup)
      throws IOException, GeneralSecurityException {
    this.context = context;
    this.setup = setup;
    this.coordinator = coordinator();
    UserRow owner = new UserRow(setup.owner(), ownShare(), BearerTokens.hash(setup.token()));
    setup.tokens().add(owner, true);
    set(owner);
    setup.renewed().forEach(this::set);
    coordinator.tell(Coordinator.StartTelemetry.INSTANCE);
    context.spawn(
        AgentListener.create(
            setup.agents().getAddress().getHostAddress(),
            setup.agents().getPort(),
            ClusterTls.of(ownAccess()),
            setup.settings().sessionSilence(),
            new HandshakeRate(setup.settings().handshakesPerSecond(), System::nanoTime),
            coordinator,
            context.messageAdapter(AgentListener.Answer.class, AgentsListen::new)),
        "agent-listener");
    ActorRef<Command> self = context.getSelf(); // for another thread
    context.pipeToSelf(
        RestServer.start(
            context.getSystem(),
            setup.rest(),
            setup.tls()
                ? Optional.of(ClusterTls.of(ownAccess())::serverForAnyone)
                : Optional.empty(),
            setup.settings().rest(),
            coordinator,
            setup.store().store().reader(),
            setup.tokens(),
            setup.store().journal()::trouble,
            how -> stop(setup, self, how)),
        (binding, fault) ->
            fault == null
                ? new RestListens(binding)
                : new CannotServe("cannot listen on " + setup.rest() + ": " + root(fault)));
  }

  /** Creates the actor; it waits for {@link Begin}, so that the store is read meanwhile. */
  static Behavior<Command> create() {
    return Behaviors.setup(
        context ->
            Behaviors.receive(Command.class)
                .onMessage(
                    Begin.class, begin -> new ServiceGuardian(context, begin.setup()).running())
                .build());
  }

  private void set(UserRow user) {
    unsaved++;
    coordinator.tell(
        new Coordinator.SetUser(
            user, context.<Reply<String>>messageAdapter(reply(), answer -> UserSaved.INSTANCE)));
  }

  @SuppressWarnings("unchecked") // a class literal has no type argument
  private static Class<Reply<String>> reply() {
    return (Class<Reply<String>>) (Class<?>) Reply.class;
  }

  private AccessFile ownAccess() throws IOException {
    return setup.key().access(List.of());
  }

  private static String root(Throwable fault) {
    Throwable root = fault;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return String.valueOf(root.getMessage());
  }

  private double ownShare() {
    return setup.store().state().users().stream()
        .filter(user -> user.name().equals(setup.owner()))
        .findFirst()
        .map(UserRow::share)
        .orElse(1.0);
  }

  private ActorRef<Coordinator.Command> coordinator() {
    Cluster cluster = Cluster.get(context.getSystem());
    cluster.manager().tell(Join.create(cluster.selfMember().address()));
    Clock clock = setup.clock();
    Journal journal = setup.store().journal();
    journal.onLost(
        () -> {
          LOG.error("the state cannot be written any more: {}", journal.trouble().orElse(""));
          setup.ending().complete(JobService.End.FAULT);
        });
    CoordinatorSettings settings = setup.settings();
    Behavior<Coordinator.Command> behavior =
        Coordinator.create(
            new Coordinator.Settings(
                "service",
                setup.store().state().epoch(),
                settings.contactDeadline(),
                settings.tick(),
                SAMPLE,
                settings.retry(),
                settings.sharing()),
            System::nanoTime,
            context.getSystem().<PostProcessor.Command>ignoreRef(),
            context.getSystem().<EventLog.Command>ignoreRef(),
            context.spawn(StatusFile.create(setup.status()), "status", StatusFile.PROPS),
            Optional.of(
                new Coordinator.Durable(
                    durableLog(journal),
                    setup.store().state(),
                    new JobRows(setup.store().state(), clock),
                    clock.millis(),
                    setup.store().isNew() ? Duration.ZERO : settings.nodesReturn(),
                    settings.limits(),
                    () -> setup.ending().complete(JobService.End.FAULT))));
    return ClusterSingleton.get(context.getSystem())
        .init(
            SingletonActor.of(
                Behaviors.supervise(behavior).onFailure(SupervisorStrategy.stop()), "coordinator"));
  }

  private static DurableLog durableLog(Journal journal) {
    return new DurableLog() {
      @Override
      public void append(List<LogEntry> entries, Runnable committed) {
        journal.append(entries, committed);
      }

      @Override
      public Optional<String> trouble() {
        return journal.trouble();
      }
    };
  }

  private Behavior<Command> running() {
    context.getSelf().tell(LookAtDisk.INSTANCE);
    return Behaviors.receive(Command.class)
        .onMessage(AgentsListen.class, this::onAgentsListen)
        .onMessage(RestListens.class, this::onRestListens)
        .onMessage(CannotServe.class, message -> fail(message.cause()))
        .onMessage(UserSaved.class, message -> onUserSaved())
        .onMessage(EndTasks.class, this::onEndTasks)
        .onMessage(Stopped.class, this::onStopped)
        .onMessage(Ending.class, this::onEnding)
        .onMessage(KillTasks.class, message -> onKillTasks())
        .onMessage(CountAgain.class, again -> countEnding(again.deadline(), again.replyTo()))
        .onMessage(Tidy.class, message -> onTidy())
        .onMessage(LookAtDisk.class, message -> onLookAtDisk())
        .build();
  }

  private InetSocketAddress restAddress;

  private Behavior<Command> onAgentsListen(AgentsListen message) {
    if (message.answer() instanceof AgentListener.CannotListen cannot) {
      return fail("cannot listen for agents on " + setup.agents() + ": " + cannot.cause());
    }
    agentAddress = ((AgentListener.Listening) message.answer()).address();
    return tellIfReady();
  }

  private Behavior<Command> onRestListens(RestListens message) {
    restAddress = message.binding().localAddress();
    return tellIfReady();
  }

  private Behavior<Command> onUserSaved() {
    unsaved--;
    return tellIfReady();
  }

  /**
   * Completes {@code listening} when all is ready. The access file is written then, so its tokens
   * must be durable.
   */
  private Behavior<Command> tellIfReady() {
    if (agentAddress != null && restAddress != null && unsaved == 0) {
      setup.listening().complete(new Addresses(agentAddress, restAddress));
      context.getSelf().tell(Tidy.INSTANCE);
    }
    return Behaviors.same();
  }

  /** Removes old jobs that have ended, now and every hour. */
  private Behavior<Command> onTidy() {
    setup
        .store()
        .journal()
        .tidy(setup.settings().retention(), setup.clock().millis())
        .whenComplete(ServiceGuardian::noteTidied);
    context.scheduleOnce(TIDY_EVERY, context.getSelf(), Tidy.INSTANCE);
    return Behaviors.same();
  }

  private static void noteTidied(Integer jobs, Throwable fault) {
    if (fault != null) {
      LOG.warn("old jobs cannot be removed now; next try within an hour: {}", root(fault));
    } else {
      LOG.info("{} old jobs were removed", jobs);
    }
  }

  /** Logs when the server begins to wait for its disk, and when it no longer does. */
  private Behavior<Command> onLookAtDisk() {
    Optional<String> now = setup.store().journal().standstill();
    if (now.isPresent() && !standsStill) {
      LOG.warn("{}: changes of the state wait for it; running tasks continue", now.get());
    } else if (now.isEmpty() && standsStill) {
      LOG.warn("the disk works again");
    }
    standsStill = now.isPresent();
    context.scheduleOnce(LOOK_EVERY, context.getSelf(), LookAtDisk.INSTANCE);
    return Behaviors.same();
  }

  private Behavior<Command> fail(String cause) {
    setup.listening().completeExceptionally(new IOException(cause));
    return Behaviors.same();
  }

  private Behavior<Command> onEndTasks(EndTasks command) {
    context.ask(
        Coordinator.Stopped.class,
        coordinator,
        STOP_PATIENCE,
        replyTo -> new Coordinator.StopAll(command.urgency(), replyTo),
        (answer, fault) ->
            new Stopped(fault == null ? answer.longestGraceMillis() : 0, command.replyTo()));
    return Behaviors.same();
  }

  /** Begins to stop, or has what is ending already killed. */
  private static void stop(Setup setup, ActorRef<Command> self, StopMode how) {
    boolean first = setup.ending().complete(JobService.End.of(how));
    if (!first && how == StopMode.TASKS_ARE_KILLED) {
      self.tell(KillTasks.INSTANCE);
    }
  }

  private Behavior<Command> onKillTasks() {
    coordinator.tell(
        new Coordinator.StopAll(Coordinator.Urgency.AT_ONCE, context.getSystem().ignoreRef()));
    return Behaviors.same();
  }

  /** Without an answer, as on a full disk, the tasks still have a moment. */
  private Behavior<Command> onStopped(Stopped message) {
    Duration longest = setup.settings().grace().plusMillis(message.longestGraceMillis());
    return countEnding(setup.clock().instant().plus(longest), message.replyTo());
  }

  private Behavior<Command> countEnding(Instant deadline, ActorRef<NodesEnd> replyTo) {
    context.ask(
        Integer.class,
        coordinator,
        STOP_PATIENCE,
        Coordinator.CountEnding::new,
        (count, fault) -> new Ending(fault == null ? count : 0, deadline, replyTo));
    return Behaviors.same();
  }

  /** The nodes end once no task is ending any more, so that each end is reported as what it is. */
  private Behavior<Command> onEnding(Ending message) {
    if (message.tasks() > 0 && setup.clock().instant().isBefore(message.deadline())) {
      context.scheduleOnce(
          COUNT_EVERY, context.getSelf(), new CountAgain(message.deadline(), message.replyTo()));
      return Behaviors.same();
    }
    coordinator.tell(new Coordinator.EndNodes("the server is stopped", setup.settings().grace()));
    message.replyTo().tell(NodesEnd.INSTANCE);
    return Behaviors.same();
  }
}
