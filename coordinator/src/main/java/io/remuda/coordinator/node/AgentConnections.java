package io.remuda.coordinator.node;

import io.remuda.agent.protocol.AgentMessage;
import io.remuda.agent.protocol.CoordinatorMessage;
import io.remuda.agent.protocol.TaskReport;
import io.remuda.agent.protocol.TaskStartOrder;
import io.remuda.coordinator.api.MessageToAgentSession;
import io.remuda.coordinator.meter.OrderRoundTrips;
import io.remuda.coordinator.registry.TaskRegistry;
import io.remuda.worker.job.AttemptId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * The connected nodes and the desired state sent to each: it is repeated with each tick, and sent
 * at once when it changes. Used only by the coordinator's actor.
 */
public final class AgentConnections {

  /** A connected node. */
  private static final class AgentConnection {
    private final ActorRef<MessageToAgentSession> session;
    private final String boot;
    private final String build;
    private final boolean knowsParameters;
    private final boolean knowsStreams;
    private final String machine;

    /** The attempts in its last report. */
    private Set<AttemptId> reported;

    /** The attempts for which it was sent the full order on this connection. */
    private final Set<AttemptId> told = new HashSet<>();

    private long sentRevision = -1;

    /** Whether it was not told yet to forget an attempt that has ended. */
    private boolean mayForget;

    /** Whether the last order left some attempts out, since they did not fit into it. */
    private boolean leftOut;

    private boolean sampling;
    private long samplingSince;
    private boolean telemetryClosed;
    private long since;

    private AgentConnection(
        ActorRef<MessageToAgentSession> session,
        AgentMessage.Hello hello,
        Set<AttemptId> reported) {
      this.session = session;
      this.boot = hello.boot();
      this.build = hello.build();
      this.knowsParameters = hello.understands().contains(AgentMessage.Hello.PARAMETERS);
      this.knowsStreams = hello.understands().contains(AgentMessage.Hello.STREAMS);
      this.machine = hello.machine().id();
      this.reported = reported;
    }

    private void tell(CoordinatorMessage message) {
      session.tell(new MessageToAgentSession.Send(message));
    }
  }

  private final CoordinatorMessage.Welcome welcome;
  private final TaskRegistry tasks;
  private final OrderRoundTrips trips;
  private final DesiredStates desired = new DesiredStates();
  private final Map<String, AgentConnection> byNode = new HashMap<>();
  private final RunningAttemptUsage uses = new RunningAttemptUsage();
  private boolean sampling;
  private boolean telemetryEnding;

  /** The order to end, sent to all nodes including those that join later; null if there is none. */
  private CoordinatorMessage.EndNode ending;

  /** Creates connections of which nobody wants to know how soon they follow. */
  public AgentConnections(CoordinatorMessage.Welcome welcome, TaskRegistry tasks) {
    this(welcome, tasks, OrderRoundTrips.unmeasured());
  }

  /**
   * @param welcome is sent to a node when it joins
   * @param tasks stores the first revision that contains an attempt
   * @param trips measures how soon orders are followed
   */
  public AgentConnections(
      CoordinatorMessage.Welcome welcome, TaskRegistry tasks, OrderRoundTrips trips) {
    this.welcome = welcome;
    this.tasks = tasks;
    this.trips = trips;
  }

  /** Returns whether another agent is connected with this node name. */
  public boolean isTaken(AgentMessage.Hello hello) {
    AgentConnection before = byNode.get(hello.node());
    return before != null && !before.boot.equals(hello.boot());
  }

  /** Adds an agent and welcomes it; closes the previous connection of the same agent. */
  public void join(AgentMessage.Hello hello, ActorRef<MessageToAgentSession> session) {
    AgentConnection before =
        byNode.put(hello.node(), new AgentConnection(session, hello, attempts(hello.tasks())));
    if (before != null) {
      before.session.tell(MessageToAgentSession.Close.INSTANCE);
    }
    trips.forget(hello.node());
    desired.changed(hello.node()); // earlier acknowledgements do not show its present state
    tell(hello.node(), welcome);
  }

  public void leave(String node) {
    byNode.remove(node);
    uses.gone(node);
    trips.forget(node);
  }

  /** Notes when a node has joined, on the monotonic clock in nanoseconds. */
  public void joinedAt(String node, long now) {
    byNode.get(node).since = now;
  }

  /** Returns since when the connected nodes are connected, by node, in nanoseconds. */
  public Map<String, Long> since() {
    Map<String, Long> since = new HashMap<>();
    byNode.forEach((node, link) -> since.put(node, link.since));
    return since;
  }

  /** Returns what running attempts of connected nodes have used so far. */
  public RunningAttemptUsage uses() {
    return uses;
  }

  /** Returns whether this is the node's current connection, not a replaced one. */
  public boolean isCurrent(String node, ActorRef<MessageToAgentSession> session) {
    AgentConnection link = byNode.get(node);
    return link != null && link.session.equals(session);
  }

  public boolean isConnected(String node) {
    return byNode.containsKey(node);
  }

  /** Returns the versions of the agents of the connected nodes, by node. */
  public Map<String, String> builds() {
    Map<String, String> builds = new HashMap<>();
    byNode.forEach((node, link) -> builds.put(node, link.build));
    return builds;
  }

  /** Returns the ids of the machines of the connected nodes, by node. */
  public Map<String, String> machines() {
    Map<String, String> machines = new HashMap<>();
    byNode.forEach((node, link) -> machines.put(node, link.machine));
    return machines;
  }

  /** Sends a message to a node if it is connected. */
  public void tell(String node, CoordinatorMessage message) {
    Optional.ofNullable(byNode.get(node)).ifPresent(link -> link.tell(message));
  }

  /**
   * Ends all nodes, including those that join later. They are told before to forget what has ended:
   * a node that ends does not remove the folders of tasks any more.
   */
  public void end(CoordinatorMessage.EndNode order) {
    ending = order;
    byNode.forEach(
        (node, link) -> {
          if (link.mayForget) {
            order(node);
          }
          link.tell(order);
        });
  }

  public boolean areEnding() {
    return ending != null;
  }

  /** Ends a node that joins after {@link #end}. */
  public void endLatecomer(String node) {
    if (ending != null) {
      tell(node, ending);
    }
  }

  /** Starts the telemetry of all nodes, or stops it after a last sample. */
  public void sample(boolean on) {
    sampling = on;
    telemetryEnding = !on;
    byNode.values().forEach(link -> link.telemetryClosed = false);
    byNode.keySet().forEach(this::order);
  }

  /**
   * Stores the report of a connected node.
   *
   * @return whether this report is the first to confirm that its telemetry has ended
   */
  public boolean reported(String node, AgentMessage.Report report) {
    AgentConnection link = byNode.get(node);
    link.reported = attempts(report.tasks());
    trips.reported(node, report.revision());
    boolean followed = report.revision() >= link.samplingSince;
    boolean closed = telemetryEnding && followed && !report.sampling() && !link.telemetryClosed;
    link.telemetryClosed |= closed;
    return closed;
  }

  private static Set<AttemptId> attempts(List<TaskReport> reports) {
    return reports.stream().map(TaskReport::attempt).collect(Collectors.toSet());
  }

  /** Adds an attempt to the desired state of a node, which need not be connected. */
  public void add(String node, TaskStartOrder order) {
    desired.add(node, order);
  }

  /** Removes an attempt from the desired state of a node, which ends it there. */
  public void remove(String node, AttemptId attempt) {
    desired.remove(node, attempt);
    tasks.ordered(attempt, desired.revision(node));
  }

  /**
   * Removes an attempt that has ended from the desired state of a node. The node is told with the
   * next order, or at the next tick; but at once if there are orders that did not fit into the last
   * one.
   */
  public void forget(String node, AttemptId attempt) {
    desired.forget(node, attempt);
    AgentConnection link = byNode.get(node);
    if (link != null) {
      link.mayForget = true;
      if (link.leftOut) {
        desired.changed(node);
      }
    }
  }

  /**
   * Has an attempt leave its place on a node.
   *
   * @param order which attempt, and how it is asked
   */
  public void leave(String node, CoordinatorMessage.Leaving order) {
    desired.leave(node, order);
    tasks.ordered(order.attempt(), desired.revision(node));
  }

  /** Sends all nodes their desired state again; this renews the contact deadline. */
  public void orderAll() {
    byNode.forEach((node, link) -> link.told.retainAll(desired.attempts(node)));
    byNode.keySet().forEach(this::order);
  }

  /** Sends the desired state to the nodes for which it has changed. */
  public void orderChanged() {
    byNode.forEach(
        (node, link) -> {
          if (link.sentRevision != desired.revision(node)) {
            order(node);
          }
        });
  }

  /**
   * Sends a connected node its desired state. The first full order of an attempt gets a new
   * revision, so that a report with this revision confirms that the node has the order.
   */
  public void order(String node) {
    AgentConnection link = byNode.get(node);
    if (link.sampling != sampling) {
      link.sampling = sampling;
      link.samplingSince = desired.changed(node);
    }
    DesiredStates.NodeOrders order = desired.order(node, link.reported);
    List<AttemptId> fresh =
        order.inFull().stream()
            .map(TaskStartOrder::attempt)
            .filter(attempt -> !link.told.contains(attempt))
            .toList();
    boolean second = link.sentRevision == desired.revision(node);
    long revision = second && !fresh.isEmpty() ? desired.changed(node) : desired.revision(node);
    if (link.sentRevision != revision) {
      trips.sent(node, revision);
    }
    link.sentRevision = revision;
    link.mayForget = false;
    link.leftOut = !order.later().isEmpty();
    link.told.addAll(fresh);
    fresh.forEach(attempt -> tasks.ordered(attempt, revision));
    for (CoordinatorMessage.Kept later : order.later()) {
      link.told.remove(later.attempt());
      tasks.ordered(later.attempt(), TaskRegistry.NOT_ORDERED);
    }
    DesiredStates.NodeOrders plain = link.knowsStreams ? order : order.withPlainStreams(node);
    DesiredStates.NodeOrders known = link.knowsParameters ? plain : plain.withoutParameters();
    link.tell(known.of(welcome.epoch(), revision, sampling));
  }
}
