package io.remuda.coordinator.node;

import io.remuda.agent.protocol.CoordinatorMessage;
import io.remuda.coordinator.api.CoordinatorCommand;
import io.remuda.coordinator.api.Rejection;
import io.remuda.coordinator.api.Reply;
import io.remuda.coordinator.commit.Decision;
import io.remuda.coordinator.commit.Effect;
import io.remuda.coordinator.registry.NodeRegistry;
import io.remuda.coordinator.registry.TaskRegistry;
import io.remuda.coordinator.registry.policy.NodeDrain;
import io.remuda.coordinator.registry.task.TaskChange;
import io.remuda.coordinator.store.row.StoreChange;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.telemetry.model.DeviceInfo;
import io.remuda.telemetry.render.ShortList;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Decides users' changes of nodes. Used only by the coordinator's actor. */
public final class NodeControl {

  /** GPUs that a message lists. */
  private static final int MOST_NAMED = 20;

  private final NodeRegistry nodes;
  private final TaskRegistry tasks;

  public NodeControl(NodeRegistry nodes, TaskRegistry tasks) {
    this.nodes = nodes;
    this.tasks = tasks;
  }

  /** Stops placing tasks on a node, or resumes it. */
  public Decision drain(CoordinatorCommand.DrainNode command, long now) {
    String node = command.node();
    boolean isUnseen = nodes.find(node).isEmpty();
    if (isUnseen && nodes.drain(node).equals(NodeDrain.NONE)) {
      return Decision.refuse(command.replyTo(), notJoined(node));
    }
    if (isUnseen && command.use() == CoordinatorCommand.NodeUse.OPEN) {
      return Decision.ofRows(forgetDrain(node)).thenAnswer(command.replyTo(), Reply.of(node));
    }
    boolean moved = command.use() == CoordinatorCommand.NodeUse.DRAINED_AND_MOVED;
    return Decision.of(
            moved
                ? tasks.requests().leaveNode(node, "node " + node + " is drained", now)
                : List.of())
        .withRows(
            List.of(
                command.use() == CoordinatorCommand.NodeUse.OPEN
                    ? resumed(node)
                    : drained(node, command.reason())))
        .thenAnswer(command.replyTo(), Reply.of(node))
        .placing();
  }

  private StoreChange resumed(String node) {
    nodes.drain(node, NodeDrain::withoutNode);
    return new StoreChange.NodeResumed(node);
  }

  /** Drains a node; without a reason it keeps the one that it has. */
  private StoreChange drained(String node, String reason) {
    String why = reason == null ? "" : reason;
    return new StoreChange.NodeDrained(
        node, nodes.drain(node, drain -> drain.withNode(why)).reason());
  }

  /** Stops placing tasks on GPUs of a node, or resumes them: all of them or none. */
  public Decision drainGpus(CoordinatorCommand.DrainGpus command, long now) {
    String name = command.node();
    Optional<NodeRegistry.Node> node = nodes.find(name);
    if (node.isEmpty()) {
      return Decision.refuse(command.replyTo(), notJoined(name));
    }
    Set<DeviceId> gpus = new LinkedHashSet<>();
    for (String one : command.gpus()) {
      Optional<DeviceId> gpu = gpu(node.get(), one);
      if (gpu.isEmpty()) {
        return Decision.refuse(command.replyTo(), noGpu(node.get(), one));
      }
      gpus.add(gpu.get());
    }
    boolean open = command.use() == CoordinatorCommand.NodeUse.OPEN;
    boolean moved = command.use() == CoordinatorCommand.NodeUse.DRAINED_AND_MOVED;
    return Decision.of(
            moved
                ? tasks
                    .requests()
                    .leaveGpus(name, gpus, "a GPU of node " + name + " is drained", now)
                : List.of())
        .withRows(
            gpus.stream()
                .flatMap(gpu -> open ? resumed(gpu) : drained(name, gpu, command.reason()))
                .toList())
        .thenAnswer(command.replyTo(), Reply.of(name))
        .placing();
  }

  /** Resumes a GPU, on whichever node it was drained: several may see it. */
  private Stream<StoreChange> resumed(DeviceId gpu) {
    List<String> there = nodes.drainedOn(gpu);
    there.forEach(node -> nodes.drain(node, drain -> drain.withoutGpu(gpu)));
    return there.stream().map(node -> new StoreChange.GpuResumed(node, gpu));
  }

  private Stream<StoreChange> drained(String node, DeviceId gpu, String reason) {
    String why = reason == null ? "" : reason;
    String now = nodes.drain(node, drain -> drain.withGpu(gpu, why)).gpus().get(gpu);
    return Stream.of(new StoreChange.GpuDrained(node, gpu, now));
  }

  /** Finds a GPU by number or UUID: one that the node has, or one that was drained before. */
  private static Optional<DeviceId> gpu(NodeRegistry.Node node, String name) {
    return Stream.concat(
            node.devices().stream()
                .filter(device -> device.number().equals(name) || device.id().uuid().equals(name))
                .map(DeviceInfo::id),
            node.drain().gpus().keySet().stream().filter(gpu -> gpu.uuid().equals(name)))
        .findFirst();
  }

  private static Rejection noGpu(NodeRegistry.Node node, String name) {
    List<String> there =
        node.devices().stream()
            .map(device -> device.number() + " (" + device.id().uuid() + ")")
            .toList();
    return Rejection.of(
        Rejection.Code.NOT_FOUND,
        there.isEmpty()
            ? "node " + node.name() + " has no GPU"
            : "node "
                + node.name()
                + " has no GPU "
                + name
                + ": it has "
                + ShortList.of(there, MOST_NAMED));
  }

  private static Rejection notJoined(String node) {
    return Rejection.of(Rejection.Code.NOT_FOUND, "no node " + node + " has joined");
  }

  /** Declares a silent node permanently gone: drains it and ends its tasks. */
  public Decision giveUp(CoordinatorCommand.GiveUpNode command, long now) {
    String node = command.node();
    Optional<NodeRegistry.Node> known = nodes.find(node);
    if (known.isEmpty() && tasks.placedOn(node) == 0) {
      return Decision.refuse(command.replyTo(), notJoined(node));
    }
    if (known.isPresent() && known.get().reachable()) {
      return Decision.refuse(
          command.replyTo(),
          new Rejection(
              Rejection.Code.WRONG_STATE,
              "node " + node + " answers, so it is not gone",
              "cancel what it runs, or end its agent first"));
    }
    String who = "node " + node + " was declared gone by " + command.caller().user();
    String why = command.reason() == null ? who : who + ": " + command.reason();
    return Decision.of(tasks.nodeGone(node, why, now))
        .withRows(List.of(drained(node, command.reason())))
        .thenAnswer(command.replyTo(), Reply.of(node))
        .placing();
  }

  /** Has the tasks of nodes wait again of which nothing runs any more. */
  public Decision takeAway(CoordinatorCommand.TakeNodesAway command, long now) {
    List<TaskChange> changes = new ArrayList<>();
    for (String node : command.nodes()) {
      changes.addAll(tasks.nodeTakenAway(node, command.why(), now));
      if (nodes.find(node).filter(known -> !known.reachable()).isPresent()) {
        nodes.forget(node);
      }
    }
    return Decision.of(changes).thenAnswer(command.replyTo(), changes.size()).placing();
  }

  /** Forgets a node that does not answer and has no task; it may join again. */
  public Decision remove(CoordinatorCommand.RemoveNode command) {
    String node = command.node();
    Optional<Rejection> no = refusalToRemove(node);
    if (no.isPresent()) {
      return Decision.refuse(command.replyTo(), no.get());
    }
    List<StoreChange> rows = forgetDrain(node);
    nodes.forget(node);
    return Decision.ofRows(rows).thenAnswer(command.replyTo(), Reply.of(node)).placing();
  }

  /** Resumes a node and all of its GPUs, of which nothing else may be known. */
  private List<StoreChange> forgetDrain(String node) {
    List<StoreChange> rows = new ArrayList<>(List.of(new StoreChange.NodeResumed(node)));
    nodes
        .drain(node)
        .gpus()
        .keySet()
        .forEach(gpu -> rows.add(new StoreChange.GpuResumed(node, gpu)));
    nodes.drain(node, drain -> NodeDrain.NONE);
    return rows;
  }

  private Optional<Rejection> refusalToRemove(String node) {
    Optional<NodeRegistry.Node> known = nodes.find(node);
    if (known.isEmpty() && nodes.drain(node).equals(NodeDrain.NONE)) {
      return Optional.of(notJoined(node));
    }
    if (known.filter(NodeRegistry.Node::reachable).isPresent()) {
      return Optional.of(
          new Rejection(
              Rejection.Code.WRONG_STATE,
              "node " + node + " answers",
              "end its agent first; remuda drain only lets it get no more tasks"));
    }
    int placed = tasks.placedOn(node);
    return placed == 0
        ? Optional.empty()
        : Optional.of(
            new Rejection(
                Rejection.Code.WRONG_STATE,
                "node " + node + " is silent and may still run " + placed + " tasks",
                "if it is off for good: remuda drain --gone " + node));
  }

  /** Has a node end a task of another state file. */
  public Decision endForeign(CoordinatorCommand.EndForeign command) {
    boolean there =
        nodes.find(command.node()).stream()
            .flatMap(node -> node.foreign().stream())
            .anyMatch(task -> task.attempt().equals(command.attempt()));
    if (!there) {
      return Decision.refuse(
          command.replyTo(),
          Rejection.of(
              Rejection.Code.NOT_FOUND,
              "no task " + command.attempt() + " of another state file runs on " + command.node()));
    }
    return Decision.answer(command.replyTo(), Reply.of(command.attempt().toString()))
        .first(
            new Effect.SendToNode(
                command.node(), new CoordinatorMessage.EndForeign(command.attempt())));
  }
}
