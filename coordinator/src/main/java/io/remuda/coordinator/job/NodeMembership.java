package io.remuda.coordinator.job;

import io.remuda.agent.protocol.AgentMessage;
import io.remuda.agent.protocol.CoordinatorMessage;
import io.remuda.agent.protocol.StateFileLineage;
import io.remuda.agent.protocol.TaskReport;
import io.remuda.coordinator.api.ClusterEvent;
import io.remuda.coordinator.api.CoordinatorCommand;
import io.remuda.coordinator.api.MessageToAgentSession;
import io.remuda.coordinator.commit.Decision;
import io.remuda.coordinator.commit.Effect;
import io.remuda.coordinator.node.AgentConnections;
import io.remuda.coordinator.registry.NodeRegistry;
import io.remuda.coordinator.registry.TaskRegistry;
import io.remuda.coordinator.registry.task.TaskChange;
import io.remuda.coordinator.schedule.model.NodePause;
import io.remuda.telemetry.model.NodeSample;
import io.remuda.worker.job.AttemptId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Decides what follows when nodes join, report, and fall silent. Used only by the coordinator's
 * actor.
 */
public final class NodeMembership {

  private static final Duration FORGOTTEN_AFTER = Duration.ofDays(1);

  private final NodeRegistry nodes;
  private final TaskRegistry tasks;
  private final AgentConnections connections;
  private final StateFileLineage lineage;
  private final DeviceLeaseDecisions leases;

  /**
   * @param lineage identifies the attempts of this state file
   */
  public NodeMembership(
      NodeRegistry nodes,
      TaskRegistry tasks,
      AgentConnections connections,
      StateFileLineage lineage,
      DeviceLeaseDecisions leases) {
    this.nodes = nodes;
    this.tasks = tasks;
    this.connections = connections;
    this.lineage = lineage;
    this.leases = leases;
  }

  /** Adds a node, unless another agent is connected with its name. */
  public Decision joined(CoordinatorCommand.AgentJoined event, long now) {
    AgentMessage.Hello hello = event.hello();
    if (connections.isTaken(hello)) {
      return nameTaken(event);
    }
    boolean again = nodes.find(hello.node()).isPresent();
    nodes.joined(
        hello.node(),
        hello.host(),
        hello.machine(),
        hello.devices(),
        hello.devicesFrom(),
        hello.labels(),
        hello.counted(),
        hello.network(),
        event.reachedAt());
    connections.join(hello, event.session());
    connections.joinedAt(hello.node(), now);
    List<TaskReport> ours = split(hello.node(), hello.tasks()).ours();
    leases.joined(hello.node(), hello.processSpace());
    tasks.offers(nodes.all(), now); // the reports below refer to its devices
    NodeRegistry.Node node = nodes.find(hello.node()).orElseThrow();
    return Decision.of(tasks.joined(hello.node(), ours, now))
        .first(new Effect.NodeJoined(node, again))
        .meanwhile(List.of(new Effect.SendDesired(hello.node())))
        .placing();
  }

  private static Decision nameTaken(CoordinatorCommand.AgentJoined event) {
    String node = event.hello().node();
    return Decision.atOnce(
        List.of(
            new Effect.Tell<>(
                event.session(),
                new MessageToAgentSession.Send(new CoordinatorMessage.NameTaken(node))),
            new Effect.Tell<>(event.session(), MessageToAgentSession.Close.INSTANCE),
            new Effect.TellFollower(new ClusterEvent.NameTaken(node))));
  }

  /** Compares a node's report of its tasks with the registry. */
  public Decision reported(String node, AgentMessage.Report report, long now) {
    List<Effect> atOnce = new ArrayList<>();
    if (connections.reported(node, report)) {
      atOnce.add(new Effect.TellFollower(new ClusterEvent.TelemetryClosed(node)));
    }
    Split split = split(node, report.tasks());
    connections.uses().reported(node, split.ours());
    List<TaskChange> changes = tasks.reported(node, split.ours(), report.revision(), now);
    atOnce.addAll(leases.granted(changes, now));
    atOnce.addAll(progress(split.ours()));
    Decision decision = Decision.of(changes).meanwhile(atOnce);
    return split.foreignChanged() ? decision.placing() : decision;
  }

  /** The reports of this state file's tasks, and whether those of others have changed. */
  private record Split(List<TaskReport> ours, boolean foreignChanged) {}

  /** Stores the running tasks of other state files. Their resources count as used. */
  private Split split(String node, List<TaskReport> reports) {
    List<TaskReport> ours = new ArrayList<>(reports.size());
    List<TaskReport> foreign = new ArrayList<>();
    for (TaskReport report : reports) {
      if (lineage.includes(report.attempt())) {
        ours.add(report);
      } else if (report.facts() != null) {
        foreign.add(report);
      }
    }
    return new Split(ours, nodes.foreign(node, foreign));
  }

  private List<Effect> progress(List<TaskReport> reports) {
    Map<AttemptId, TaskReport.TaskProgress> progress =
        reports.stream()
            .filter(
                report -> report.progress() != null && tasks.placed(report.attempt()).isPresent())
            .collect(Collectors.toMap(TaskReport::attempt, TaskReport::progress));
    return progress.isEmpty()
        ? List.of()
        : List.of(new Effect.TellFollower(new ClusterEvent.Progressed(progress)));
  }

  /** Stores a node's newest samples. */
  public Decision sampled(List<NodeSample> samples) {
    boolean room = false;
    for (NodeSample sample : samples) {
      room |= nodes.sampled(sample);
    }
    return room ? Decision.NONE.placing() : Decision.NONE;
  }

  /** Replaces the devices of a node. */
  public Decision devices(String node, AgentMessage.Devices devices) {
    nodes.devices(node, devices.devices());
    return Decision.NONE.placing();
  }

  /**
   * Records that something on a node does not respond, or responds again.
   *
   * @param wallMillis current time in milliseconds since 1970
   */
  public Decision standstill(String node, AgentMessage.Standstill said, long wallMillis) {
    NodePause.Standstill now =
        said.what().isEmpty()
            ? null
            : new NodePause.Standstill(said.what(), wallMillis - said.millis());
    return nodes.standsStill(node, now)
        ? Decision.atOnce(List.of(new Effect.NodeStandsStill(node, now))).placing()
        : Decision.NONE;
  }

  /** Notes that a node's agent ends. */
  public void left(String node, String why) {
    nodes.left(node, why);
  }

  /** Forgets nodes that have been silent for a day, and on which nothing can run any more. */
  public void tick(long now) {
    for (String node : nodes.silentFor(FORGOTTEN_AFTER.toNanos(), now)) {
      if (tasks.placedOn(node) == 0) {
        nodes.forget(node);
      }
    }
  }

  /** Handles the end of a node's connection, unless another one has replaced it. */
  public Decision gone(CoordinatorCommand.AgentGone event, long now) {
    if (!connections.isCurrent(event.node(), event.session())) {
      return Decision.NONE;
    }
    connections.leave(event.node());
    nodes.silent(event.node(), now);
    return Decision.of(tasks.silent(event.node(), now))
        .first(new Effect.NodeSilent(event.node(), event.cause()))
        .placing();
  }
}
