package io.remuda.coordinator.service;

import io.remuda.agent.protocol.AccessFile;
import io.remuda.agent.protocol.ClusterTls;
import io.remuda.coordinator.access.ClusterKey;
import io.remuda.coordinator.actor.AgentListener;
import io.remuda.coordinator.actor.Coordinator;
import io.remuda.coordinator.actor.CoordinatorSingleton;
import io.remuda.coordinator.actor.HandshakeRate;
import io.remuda.coordinator.api.CoordinatorCommand;
import io.remuda.coordinator.api.Reply;
import io.remuda.coordinator.rest.BearerTokens;
import io.remuda.coordinator.rest.RestServer;
import io.remuda.coordinator.settings.CoordinatorSettings;
import io.remuda.coordinator.status.StatusFile;
import io.remuda.coordinator.store.Journal;
import io.remuda.coordinator.store.Store;
import io.remuda.coordinator.store.row.UserRow;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
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
  record EndTasks(CoordinatorCommand.Urgency urgency, ActorRef<NodesEnd> replyTo)
      implements Command {}

  /** The nodes were told to end. */
  enum NodesEnd {
    INSTANCE
  }

  /** Starts the service; the first message, sent once. The answer says whether it listens. */
  record Begin(Setup setup, ActorRef<Start> replyTo) implements Command {}

  /** Orders the service to end. A second order to kill tasks kills those that have their grace. */
  record Stop(JobService.End how) implements Command {}

  /** Asks how the service is to end; the answer comes with the order to end it. */
  record AwaitStop(ActorRef<JobService.End> replyTo) implements Command {}

  /** Whether a service has started. */
  sealed interface Start {}

  /** It listens on these addresses. */
  record Listens(InetSocketAddress agents, InetSocketAddress rest) implements Start {}

  /** It cannot start. */
  record Failed(String cause) implements Start {}

  private record AgentsListen(AgentListener.Answer answer) implements Command {}

  private record RestListens(ServerBinding binding) implements Command {}

  private record CannotServe(String cause) implements Command {}

  private record Stopped(long longestGraceMillis, ActorRef<NodesEnd> replyTo) implements Command {}

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
      List<UserRow> renewed) {}

  private static final Logger LOG = LoggerFactory.getLogger(ServiceGuardian.class);
  private static final Duration SAMPLE = Duration.ofSeconds(1);
  private static final Duration STOP_PATIENCE = Duration.ofSeconds(10);
  private static final Duration COUNT_EVERY = Duration.ofMillis(100);
  private static final Duration TIDY_EVERY = Duration.ofHours(1);
  private static final Duration LOOK_EVERY = Duration.ofSeconds(1);

  private final ActorContext<Command> context;
  private final Setup setup;
  private final ActorRef<Start> starter;
  private final ActorRef<CoordinatorCommand> coordinator;
  private final List<ActorRef<JobService.End>> awaitingStop = new ArrayList<>();
  private JobService.End ordered;
  private InetSocketAddress agentAddress;
  private int unsaved;
  private boolean standsStill;

  private ServiceGuardian(ActorContext<Command> context, Begin begin)
      throws IOException, GeneralSecurityException {
    this.context = context;
    this.setup = begin.setup();
    this.starter = begin.replyTo();
    this.coordinator = coordinator();
    UserRow owner = new UserRow(setup.owner(), ownShare(), BearerTokens.hash(setup.token()));
    setup.tokens().add(owner, true);
    set(owner);
    setup.renewed().forEach(this::set);
    coordinator.tell(CoordinatorCommand.StartTelemetry.INSTANCE);
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
            how -> self.tell(new Stop(JobService.End.of(how)))),
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
                .onMessage(Begin.class, begin -> new ServiceGuardian(context, begin).running())
                .build());
  }

  private void set(UserRow user) {
    unsaved++;
    coordinator.tell(
        new CoordinatorCommand.SetUser(
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

  private ActorRef<CoordinatorCommand> coordinator() {
    Journal journal = setup.store().journal();
    ActorRef<Command> self = context.getSelf(); // for the writer's thread
    journal.onLost(
        () -> {
          LOG.error("the state cannot be written any more: {}", journal.trouble().orElse(""));
          self.tell(new Stop(JobService.End.FAULT));
        });
    CoordinatorSettings settings = setup.settings();
    return CoordinatorSingleton.start(
        context.getSystem(),
        new Coordinator.Settings(
            "service",
            setup.store().state().epoch(),
            settings.contactDeadline(),
            settings.tick(),
            SAMPLE,
            settings.retry(),
            settings.sharing(),
            setup.store().isNew() ? Duration.ZERO : settings.nodesReturn(),
            settings.limits()),
        System::nanoTime,
        new Coordinator.Subscribers(
            context.getSystem().ignoreRef(),
            context.getSystem().ignoreRef(),
            context.spawn(StatusFile.create(setup.status()), "status", StatusFile.PROPS),
            context.messageAdapter(
                Coordinator.Ended.class, ended -> new Stop(JobService.End.FAULT))),
        Coordinator.Durable.over(journal, setup.store().state(), setup.clock()));
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
        .onMessage(Stop.class, this::onStop)
        .onMessage(AwaitStop.class, this::onAwaitStop)
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
   * Reports the start when all is ready. The access file is written then, so its tokens must be
   * durable.
   */
  private Behavior<Command> tellIfReady() {
    if (agentAddress != null && restAddress != null && unsaved == 0) {
      starter.tell(new Listens(agentAddress, restAddress));
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
    starter.tell(new Failed(cause));
    return Behaviors.same();
  }

  private Behavior<Command> onEndTasks(EndTasks command) {
    context.ask(
        CoordinatorCommand.Stopped.class,
        coordinator,
        STOP_PATIENCE,
        replyTo -> new CoordinatorCommand.StopAll(command.urgency(), replyTo),
        (answer, fault) ->
            new Stopped(fault == null ? answer.longestGraceMillis() : 0, command.replyTo()));
    return Behaviors.same();
  }

  private Behavior<Command> onStop(Stop command) {
    if (ordered == null) {
      ordered = command.how();
      awaitingStop.forEach(replyTo -> replyTo.tell(ordered));
    } else if (command.how() == JobService.End.TASKS_ARE_KILLED) {
      coordinator.tell(
          new CoordinatorCommand.StopAll(
              CoordinatorCommand.Urgency.AT_ONCE, context.getSystem().ignoreRef()));
    }
    return Behaviors.same();
  }

  private Behavior<Command> onAwaitStop(AwaitStop question) {
    if (ordered == null) {
      awaitingStop.add(question.replyTo());
    } else {
      question.replyTo().tell(ordered);
    }
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
        CoordinatorCommand.CountEnding::new,
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
    coordinator.tell(
        new CoordinatorCommand.EndNodes("the server is stopped", setup.settings().grace()));
    message.replyTo().tell(NodesEnd.INSTANCE);
    return Behaviors.same();
  }
}
