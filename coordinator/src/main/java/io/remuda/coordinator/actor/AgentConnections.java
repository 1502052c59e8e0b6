package io.remuda.coordinator.actor;

import io.remuda.agent.protocol.AgentMessage;
import io.remuda.agent.protocol.CoordinatorMessage;
import io.remuda.agent.protocol.TaskOrder;
import io.remuda.agent.protocol.TaskReport;
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
 * The nodes that are connected, and the orders that each was given: all that should run on it, said
 * again with each tick and at once when it changes. Used by the coordinator's actor alone.
 */
final class AgentConnections {

  /** A connected node. */
  private static final class AgentConnection {
    private final ActorRef<AgentSession.Command> session;
    private final String boot;

    /** What it has said it holds. */
    private Set<AttemptId> reported;

    /** What it was told to start since it joined. */
    private final Set<AttemptId> told = new HashSet<>();

    private long sentRevision = -1;
    private boolean sampling;
    private long samplingSince;
    private boolean telemetryClosed;

    private AgentConnection(
        ActorRef<AgentSession.Command> session, String boot, Set<AttemptId> reported) {
      this.session = session;
      this.boot = boot;
      this.reported = reported;
    }

    private void tell(CoordinatorMessage message) {
      session.tell(new AgentSession.Send(message));
    }
  }

  private final CoordinatorMessage.Welcome welcome;
  private final TaskRegistry tasks;
  private final DesiredStates desired = new DesiredStates();
  private final Map<String, AgentConnection> byNode = new HashMap<>();
  private boolean sampling;
  private boolean telemetryEnding;

  /** What all nodes were told, and late ones still are; null while none has to end. */
  private CoordinatorMessage.EndNode ending;

  /**
   * No node yet.
   *
   * @param welcome what a node is told when it joins
   * @param tasks is told with which order an attempt was first asked for
   */
  AgentConnections(CoordinatorMessage.Welcome welcome, TaskRegistry tasks) {
    this.welcome = welcome;
    this.tasks = tasks;
  }

  /** Whether another agent than the one of this hello is connected under its name. */
  boolean isTaken(AgentMessage.Hello hello) {
    AgentConnection before = byNode.get(hello.node());
    return before != null && !before.boot.equals(hello.boot());
  }

  /** Takes an agent in and welcomes it; a connection that the same one had before is closed. */
  void join(AgentMessage.Hello hello, ActorRef<AgentSession.Command> session) {
    AgentConnection before =
        byNode.put(
            hello.node(), new AgentConnection(session, hello.boot(), attempts(hello.tasks())));
    if (before != null) {
      before.session.tell(AgentSession.Close.INSTANCE);
    }
    desired.changed(hello.node()); // what it has followed before says nothing of what it has now
    tell(hello.node(), welcome);
  }

  void leave(String node) {
    byNode.remove(node);
  }

  /** Whether this is the node's connection, and not one that was replaced. */
  boolean isCurrent(String node, ActorRef<AgentSession.Command> session) {
    AgentConnection link = byNode.get(node);
    return link != null && link.session.equals(session);
  }

  boolean isConnected(String node) {
    return byNode.containsKey(node);
  }

  /** Tells a node something, if it is connected. */
  void tell(String node, CoordinatorMessage message) {
    Optional.ofNullable(byNode.get(node)).ifPresent(link -> link.tell(message));
  }

  /** Has all nodes end, also those that are still to join. */
  void end(CoordinatorMessage.EndNode order) {
    ending = order;
    byNode.values().forEach(link -> link.tell(order));
  }

  boolean areEnding() {
    return ending != null;
  }

  /** Has a node end that has joined after all others were told to. */
  void endLatecomer(String node) {
    if (ending != null) {
      tell(node, ending);
    }
  }

  /** Has all nodes send telemetry from now on, or a last sample and no more. */
  void sample(boolean on) {
    sampling = on;
    telemetryEnding = !on;
    byNode.values().forEach(link -> link.telemetryClosed = false);
    byNode.keySet().forEach(this::order);
  }

  /**
   * Takes in what a connected node says it holds.
   *
   * @return whether its telemetry is known to be over by this report, and was not before
   */
  boolean reported(String node, AgentMessage.Report report) {
    AgentConnection link = byNode.get(node);
    link.reported = attempts(report.tasks());
    boolean followed = report.revision() >= link.samplingSince;
    boolean closed = telemetryEnding && followed && !report.sampling() && !link.telemetryClosed;
    link.telemetryClosed |= closed;
    return closed;
  }

  private static Set<AttemptId> attempts(List<TaskReport> reports) {
    return reports.stream().map(TaskReport::attempt).collect(Collectors.toSet());
  }

  /** Has an attempt run on a node from the next order on, also on one that is not connected. */
  void add(String node, TaskOrder order) {
    desired.add(node, order);
  }

  /** Has an attempt end on a node with the next order. */
  void remove(String node, AttemptId attempt) {
    desired.remove(node, attempt);
    tasks.ordered(attempt, desired.revision(node));
  }

  /** Says to all nodes again what should run there; this renews their leases. */
  void orderAll() {
    byNode.forEach((node, link) -> link.told.retainAll(desired.attempts(node)));
    byNode.keySet().forEach(this::order);
  }

  /** Tells the nodes whose orders have changed. */
  void orderChanged() {
    byNode.forEach(
        (node, link) -> {
          if (link.sentRevision != desired.revision(node)) {
            order(node);
          }
        });
  }

  /**
   * Says to a connected node all that should run there. What is spelt out for the first time makes
   * a new revision, so that a node that has followed this order is known to have seen it.
   */
  void order(String node) {
    AgentConnection link = byNode.get(node);
    if (link.sampling != sampling) {
      link.sampling = sampling;
      link.samplingSince = desired.changed(node);
    }
    DesiredStates.NodeOrders order = desired.order(node, link.reported);
    List<AttemptId> fresh =
        order.inFull().stream()
            .map(TaskOrder::attempt)
            .filter(attempt -> !link.told.contains(attempt))
            .toList();
    boolean second = link.sentRevision == desired.revision(node);
    long revision = second && !fresh.isEmpty() ? desired.changed(node) : desired.revision(node);
    link.sentRevision = revision;
    link.told.addAll(fresh);
    fresh.forEach(attempt -> tasks.ordered(attempt, revision));
    for (CoordinatorMessage.Kept later : order.later()) {
      link.told.remove(later.attempt());
      tasks.ordered(later.attempt(), TaskRegistry.NOT_ORDERED);
    }
    link.tell(order.of(welcome.epoch(), revision, sampling));
  }
}
