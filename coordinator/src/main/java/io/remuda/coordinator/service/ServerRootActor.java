package io.remuda.coordinator.service;

import io.remuda.coordinator.actor.AgentListener;
import io.remuda.coordinator.actor.HandshakeRateLimiter;
import io.remuda.coordinator.actor.LeadingCoordinator;
import io.remuda.coordinator.api.CoordinatorCommand;
import io.remuda.coordinator.cluster.ClusterFormation;
import io.remuda.coordinator.cluster.ClusterFormationStatus;
import io.remuda.coordinator.cluster.ClusterMembership;
import io.remuda.coordinator.cluster.DatabaseLossHandover;
import io.remuda.coordinator.cluster.DatabaseReachability;
import io.remuda.coordinator.cluster.KnownLeader;
import io.remuda.coordinator.cluster.LeaderCommand;
import io.remuda.coordinator.cluster.LocalMemberConfig;
import io.remuda.coordinator.cluster.MembershipPort;
import io.remuda.coordinator.cluster.RequestForwarder;
import io.remuda.coordinator.cluster.SingleServerMembership;
import io.remuda.coordinator.cluster.watch.DeadMemberWatch;
import io.remuda.coordinator.registry.policy.SchedulingSettings;
import io.remuda.coordinator.rest.RestServer;
import io.remuda.coordinator.rest.ServerStopMode;
import io.remuda.coordinator.rest.view.UnreachableNodeOutput;
import io.remuda.coordinator.status.RunStatusFile;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
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
 * The root actor of a job service. It starts the listener for agents, the HTTP interface, and the
 * coordinator as the cluster's singleton, and looks after the state while the coordinator is here.
 */
final class ServerRootActor {

  /** A message to the guardian. */
  sealed interface Command {}

  /**
   * Cancels what runs or has it wait again, waits until it has ended, and has all nodes end.
   *
   * @param within maximum time that the tasks have, whatever their grace
   */
  record EndTasks(
      CoordinatorCommand.Fate fate,
      CoordinatorCommand.Urgency urgency,
      Duration within,
      ActorRef<ServerTaskShutdown.NodesEnd> replyTo)
      implements Command {}

  /** Asks for the coordinator of a service that has started and is alone. */
  record FindCoordinator(ActorRef<ActorRef<CoordinatorCommand>> replyTo) implements Command {}

  /** Starts the service; the first message, sent once. The answer says whether it listens. */
  record Begin(CoordinatorServiceParameters setup, ActorRef<Start> replyTo) implements Command {}

  /** Orders the service to end. A second order to kill tasks kills those that have their grace. */
  record Stop(RunningJobServer.End how) implements Command {}

  /** Asks how the service is to end; the answer comes with the order to end it. */
  record AwaitStop(ActorRef<RunningJobServer.End> replyTo) implements Command {}

  /** Whether a service has started. */
  sealed interface Start {}

  /** It listens on these addresses. */
  record Listens(InetSocketAddress agents, InetSocketAddress rest) implements Start {}

  /** It cannot start. */
  record Failed(String cause) implements Start {}

  private record AgentsListen(AgentListener.Answer answer) implements Command {}

  private record RestListens(ServerBinding binding) implements Command {}

  private record CannotServe(String cause) implements Command {}

  private record LeaderChanged(LeadingCoordinator.Event event) implements Command {}

  /** The row of a user is durable. */
  enum UserSaved implements Command {
    INSTANCE
  }

  private static final Logger LOG = LoggerFactory.getLogger(ServerRootActor.class);

  private final ActorContext<Command> context;
  private final CoordinatorServiceParameters setup;
  private final ActorRef<Start> starter;
  private final KnownLeader leader = new KnownLeader();
  private final MembershipPort membership;
  private final List<ActorRef<RunningJobServer.End>> awaitingStop = new ArrayList<>();
  private final LeaderDuties care;
  private RunningJobServer.End ordered;
  private InetSocketAddress agentAddress;
  private InetSocketAddress restAddress;

  private ServerRootActor(ActorContext<Command> context, Begin begin) throws IOException {
    this.context = context;
    this.setup = begin.setup();
    this.starter = begin.replyTo();
    this.care = new LeaderDuties(context, setup);
    setup.tokens().add(setup.owner(), true);
    ActorRef<RequestForwarder.Command> forwarder =
        context.spawn(RequestForwarder.create(leader, System::nanoTime), "forwarder");
    membership = membership();
    RestServer rest = rest(forwarder);
    forwarder.tell(new RequestForwarder.ForwardTo(lead(rest)));
    listenForAgents();
    context.pipeToSelf(
        rest.listen(
            setup.rest(),
            setup.tls() ? Optional.of(setup.keys()::serverForAnyone) : Optional.empty()),
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
                .onMessage(Begin.class, begin -> new ServerRootActor(context, begin).running())
                .build());
  }

  /** Joins the cluster of the members, or makes one of this process alone. */
  private MembershipPort membership() {
    context.spawn(
        FrozenTreeCleanup.create(setup.reader(), setup.home(), setup.clock()),
        "trees",
        FrozenTreeCleanup.PROPS);
    DatabaseReachability contact = new DatabaseReachability(System::nanoTime);
    if (setup.member().isEmpty()) {
      LeadingCoordinator.joinAlone(context.getSystem());
      contact.reached(); // it was opened just now
      context.spawn(StateContact.create(setup.reader(), contact), "state", StateContact.PROPS);
      return new SingleServerMembership(text(setup.rest()), contact, care::trouble);
    }
    LocalMemberConfig member = setup.member().get();
    ClusterFormationStatus formation = new ClusterFormationStatus();
    context.spawn(ClusterFormation.create(member, formation, setup.source()), "formation");
    context.spawn(DeadMemberWatch.create(member, System::nanoTime), "dead-member-watch");
    context.spawn(
        UserRefresh.create(setup.reader(), setup.tokens(), setup.owner().name(), leader, contact),
        "users",
        UserRefresh.PROPS);
    ActorRef<Command> self = context.getSelf(); // for threads of HTTP
    MembershipPort joined =
        new ClusterMembership(
            context.getSystem(),
            member,
            leader,
            formation,
            contact,
            () -> self.tell(new Stop(RunningJobServer.End.REJOIN)));
    context.spawn(
        DatabaseLossHandover.create(member, leader, contact, joined, System::nanoTime),
        "state-watch");
    return joined;
  }

  private RestServer rest(ActorRef<RequestForwarder.Command> forwarder) throws IOException {
    ActorRef<Command> self = context.getSelf(); // for threads of HTTP
    return RestServer.of(
        context.getSystem(),
        setup.settings().rest(),
        new RestServer.Sources(
            leader,
            forwarder,
            setup.reader(),
            setup.store(),
            setup.tokens(),
            membership,
            new UnreachableNodeOutput(ServiceFolder.nodes(setup.home())),
            care.history(),
            setup.settings().metrics()),
        new RestServer.Owner() {
          @Override
          public Optional<String> trouble() {
            return care.trouble();
          }

          @Override
          public SchedulingSettings scheduling() {
            return setup.settings().sharing();
          }

          @Override
          public Optional<String> ownNode() {
            return setup.absence().node();
          }

          @Override
          public Optional<String> absence() {
            return setup.absence().reason();
          }

          @Override
          public void stop(ServerStopMode how) {
            self.tell(new Stop(RunningJobServer.End.of(how)));
          }
        });
  }

  private ActorRef<LeaderCommand> lead(RestServer rest) {
    return LeadingCoordinator.start(
        context.getSystem(),
        new LeadingCoordinator.Parts(
            setup.settings(),
            setup.member().map(member -> member.self().name()).orElse(SingleServerMembership.NAME),
            setup.member().map(member -> member.self().agents()).orElse(""),
            setup.source(),
            rest.forwardedRequests(),
            leader,
            context.spawn(RunStatusFile.create(setup.status()), "status", RunStatusFile.PROPS),
            context.messageAdapter(LeadingCoordinator.Event.class, LeaderChanged::new),
            setup.clock(),
            setup.nanoClock()));
  }

  private void listenForAgents() {
    context.spawn(
        AgentListener.create(
            setup.agents().getAddress().getHostAddress(),
            setup.agents().getPort(),
            setup.keys(),
            setup.settings().sessionSilence(),
            new HandshakeRateLimiter(setup.settings().handshakesPerSecond(), System::nanoTime),
            leader,
            context.messageAdapter(AgentListener.Answer.class, AgentsListen::new)),
        "agent-listener");
  }

  private static String text(InetSocketAddress address) {
    return address.getHostString() + ":" + address.getPort();
  }

  private static String root(Throwable fault) {
    Throwable root = fault;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return String.valueOf(root.getMessage());
  }

  private Behavior<Command> running() {
    return Behaviors.receive(Command.class)
        .onMessage(AgentsListen.class, this::onAgentsListen)
        .onMessage(RestListens.class, this::onRestListens)
        .onMessage(CannotServe.class, message -> fail(message.cause()))
        .onMessage(LeaderChanged.class, this::onLeaderChanged)
        .onMessage(UserSaved.class, message -> onUserSaved())
        .onMessage(EndTasks.class, this::onEndTasks)
        .onMessage(FindCoordinator.class, this::onFindCoordinator)
        .onMessage(Stop.class, this::onStop)
        .onMessage(AwaitStop.class, this::onAwaitStop)
        .build();
  }

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

  private Behavior<Command> onLeaderChanged(LeaderChanged change) {
    if (change.event() instanceof LeadingCoordinator.CannotLead) {
      membership.handOver().ifPresent(why -> LOG.debug("not handed over: {}", why)); // asked again
      return Behaviors.same();
    }
    return change.event() instanceof LeadingCoordinator.Leads leads
        ? onLeads(leads)
        : onLeadsNoMore();
  }

  private Behavior<Command> onLeads(LeadingCoordinator.Leads event) {
    if (setup.member().isPresent()) {
      LOG.warn("this coordinator leads, in epoch {}", event.store().state().epoch());
    }
    care.begin(event);
    return Behaviors.same();
  }

  /** Ends this process as failed, unless that was ordered. */
  private Behavior<Command> onLeadsNoMore() {
    care.end();
    return onStop(new Stop(RunningJobServer.End.FAULT));
  }

  private Behavior<Command> onUserSaved() {
    care.userSaved();
    return tellIfReady();
  }

  /**
   * Reports the start when all is ready. The access file of a server that is alone is written then,
   * so its tokens must be durable; those of a cluster are those of its key file.
   */
  private Behavior<Command> tellIfReady() {
    boolean durable = setup.member().isPresent() || care.isDurable();
    if (agentAddress != null && restAddress != null && durable) {
      starter.tell(new Listens(agentAddress, restAddress));
    }
    return Behaviors.same();
  }

  private Behavior<Command> fail(String cause) {
    starter.tell(new Failed(cause));
    return Behaviors.same();
  }

  private Behavior<Command> onEndTasks(EndTasks command) {
    if (leader.coordinator().isEmpty()) {
      command.replyTo().tell(ServerTaskShutdown.NodesEnd.INSTANCE);
      return Behaviors.same();
    }
    context.spawnAnonymous(
        ServerTaskShutdown.create(
            leader.coordinator().get(), command, setup.settings().grace(), System::nanoTime));
    return Behaviors.same();
  }

  private Behavior<Command> onFindCoordinator(FindCoordinator question) {
    question.replyTo().tell(leader.coordinator().orElseThrow());
    return Behaviors.same();
  }

  private Behavior<Command> onStop(Stop command) {
    if (ordered == null) {
      ordered = command.how();
      awaitingStop.forEach(replyTo -> replyTo.tell(ordered));
    } else if (command.how() == RunningJobServer.End.TASKS_ARE_KILLED) {
      leader
          .coordinator()
          .ifPresent(
              coordinator ->
                  coordinator.tell(
                      new CoordinatorCommand.StopAll(
                          CoordinatorCommand.Fate.CANCELLED,
                          CoordinatorCommand.Urgency.AT_ONCE,
                          context.getSystem().ignoreRef())));
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
}
