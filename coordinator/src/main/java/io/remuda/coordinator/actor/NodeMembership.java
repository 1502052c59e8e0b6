package io.remuda.coordinator.actor;

import io.remuda.agent.protocol.AgentMessage;
import io.remuda.agent.protocol.CoordinatorMessage;
import io.remuda.agent.protocol.StateLineage;
import io.remuda.agent.protocol.TaskReport;
import io.remuda.coordinator.actor.Coordinator.Command;
import io.remuda.coordinator.registry.NodeRegistry;
import io.remuda.coordinator.registry.TaskChange;
import io.remuda.coordinator.registry.TaskRegistry;
import io.remuda.coordinator.schedule.NodePause;
import io.remuda.worker.job.AttemptId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * Handles nodes that join, report their tasks, and fall silent. Used only by the coordinator's
 * actor.
 */
final class NodeMembership {

  private final NodeRegistry nodes;
  private final TaskRegistry tasks;
  private final AgentConnections connections;
  private static final Duration FORGOTTEN_AFTER = Duration.ofDays(1);

  private final StateLineage lineage;
  private final Leases leases;
  private final ClusterSubscribers subscribers;
  private final CommitPipeline pipeline;
  private final LongSupplier nanoClock;
  private final Runnable placeSoon;

  /**
   * @param lineage identifies the attempts of this state file
   * @param placeSoon runs when a task may fit that did not fit before
   */
  NodeMembership(
      NodeRegistry nodes,
      TaskRegistry tasks,
      AgentConnections connections,
      StateLineage lineage,
      Leases leases,
      ClusterSubscribers subscribers,
      CommitPipeline pipeline,
      LongSupplier nanoClock,
      Runnable placeSoon) {
    this.nodes = nodes;
    this.tasks = tasks;
    this.connections = connections;
    this.lineage = lineage;
    this.leases = leases;
    this.subscribers = subscribers;
    this.pipeline = pipeline;
    this.nanoClock = nanoClock;
    this.placeSoon = placeSoon;
  }

  private long now() {
    return nanoClock.getAsLong();
  }

  Behavior<Command> onAgentJoined(Coordinator.AgentJoined event) {
    if (connections.isTaken(event.hello())) {
      turnAway(event);
    } else {
      takeIn(event);
      placeSoon.run();
    }
    return Behaviors.same();
  }

  private void turnAway(Coordinator.AgentJoined event) {
    String node = event.hello().node();
    event.session().tell(new AgentSession.Send(new CoordinatorMessage.NameTaken(node)));
    event.session().tell(AgentSession.Close.INSTANCE);
    subscribers.tellFollower(new ClusterEvent.NameTaken(node));
  }

  private void takeIn(Coordinator.AgentJoined event) {
    AgentMessage.Hello hello = event.hello();
    boolean again = nodes.find(hello.node()).isPresent();
    nodes.joined(
        hello.node(),
        hello.host(),
        hello.machine(),
        hello.devices(),
        hello.devicesFrom(),
        hello.labels());
    connections.join(hello, event.session());
    List<TaskReport> ours = split(hello.node(), hello.tasks());
    leases.joined(hello.node(), hello.processSpace());
    nodes.find(hello.node()).ifPresent(node -> subscribers.joined(node, again));
    tasks.offers(nodes.all(), now()); // the reports below refer to its devices
    pipeline.publish(tasks.joined(hello.node(), ours, now()));
    connections.endLatecomer(hello.node());
    connections.order(hello.node());
  }

  Behavior<Command> onReport(String node, AgentMessage.Report report) {
    if (connections.reported(node, report)) {
      subscribers.tellFollower(new ClusterEvent.TelemetryClosed(node));
    }
    List<TaskReport> ours = split(node, report.tasks());
    List<TaskChange> changes = tasks.reported(node, ours, report.revision(), now());
    leases.granted(changes);
    pipeline.publish(changes);
    tellProgress(ours);
    if (!changes.isEmpty()) {
      placeSoon.run();
    }
    return Behaviors.same();
  }

  /**
   * Stores the running tasks of other state files. Their resources count as used.
   *
   * @return the reports of this state file's tasks
   */
  private List<TaskReport> split(String node, List<TaskReport> reports) {
    List<TaskReport> ours = new ArrayList<>(reports.size());
    List<TaskReport> foreign = new ArrayList<>();
    for (TaskReport report : reports) {
      if (lineage.includes(report.attempt())) {
        ours.add(report);
      } else if (report.facts() != null) {
        foreign.add(report);
      }
    }
    if (nodes.foreign(node, foreign)) {
      placeSoon.run();
    }
    return ours;
  }

  Behavior<Command> onEndForeign(Coordinator.EndForeign command) {
    boolean there =
        nodes.find(command.node()).stream()
            .flatMap(node -> node.foreign().stream())
            .anyMatch(task -> task.attempt().equals(command.attempt()));
    if (there) {
      connections.tell(command.node(), new CoordinatorMessage.EndForeign(command.attempt()));
    }
    command
        .replyTo()
        .tell(
            there
                ? Reply.of(command.attempt().toString())
                : Reply.no(
                    Rejection.of(
                        Rejection.Code.NOT_FOUND,
                        "no task "
                            + command.attempt()
                            + " of another state file runs on "
                            + command.node())));
    return Behaviors.same();
  }

  Behavior<Command> onStandstill(String node, AgentMessage.Standstill said, long wallMillis) {
    NodePause.Standstill now =
        said.what().isEmpty()
            ? null
            : new NodePause.Standstill(said.what(), wallMillis - said.millis());
    if (nodes.standsStill(node, now)) {
      subscribers.standsStill(node, now);
      placeSoon.run();
    }
    return Behaviors.same();
  }

  private void tellProgress(List<TaskReport> reports) {
    Map<AttemptId, TaskReport.TaskProgress> progress =
        reports.stream()
            .filter(report -> report.progress() != null && tasks.isPlaced(report.attempt()))
            .collect(Collectors.toMap(TaskReport::attempt, TaskReport::progress));
    if (!progress.isEmpty()) {
      subscribers.tellFollower(new ClusterEvent.Progressed(progress));
    }
  }

  /** Forgets nodes that have been silent for a day, and on which nothing can run any more. */
  void tick() {
    for (String node : nodes.silentFor(FORGOTTEN_AFTER.toNanos(), now())) {
      if (tasks.placedOn(node) == 0) {
        nodes.forget(node);
      }
    }
  }

  Behavior<Command> onAgentGone(Coordinator.AgentGone event) {
    if (connections.isCurrent(event.node(), event.session())) {
      connections.leave(event.node());
      nodes.silent(event.node(), now());
      subscribers.silent(event.node(), event.cause());
      pipeline.publish(tasks.silent(event.node(), now()));
      placeSoon.run();
    }
    return Behaviors.same();
  }
}
