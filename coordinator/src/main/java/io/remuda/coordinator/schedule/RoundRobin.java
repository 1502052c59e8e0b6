package io.remuda.coordinator.schedule;

import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.TaskId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Places the tasks of each job on the nodes in turn, leaving out nodes without a free slot; a task
 * waits only if no node has one. Devices are told apart by UUID, so that one device that two agents
 * of a machine both see is lent once. The same input gives the same plan.
 */
public final class RoundRobin {

  private RoundRobin() {}

  /**
   * Plans one cycle.
   *
   * @param offers nodes; their names decide the order of the round
   * @param queue tasks in the order in which they may choose
   * @param lastNode of each job, from the plan before
   */
  public static Plan plan(
      List<NodeOffer> offers, List<Request> queue, Map<JobId, String> lastNode) {
    List<NodeOffer> nodes = new ArrayList<>(offers);
    nodes.sort(Comparator.comparing(NodeOffer::node, NodeNames.ORDER));
    Round round = new Round(nodes, new HashMap<>(lastNode));
    queue.forEach(round::place);
    return new Plan(round.placements, round.waiting, round.lastNode);
  }

  private static final class Round {
    private final List<NodeOffer> nodes;
    private final Map<JobId, String> lastNode;
    private final Set<DeviceId> lent = new HashSet<>();
    private final Map<String, Long> memory = new HashMap<>();
    private final List<Plan.Placement> placements = new ArrayList<>();
    private final Map<TaskId, List<WaitReason>> waiting = new LinkedHashMap<>();

    private Round(List<NodeOffer> nodes, Map<JobId, String> lastNode) {
      this.nodes = nodes;
      this.lastNode = lastNode;
      nodes.forEach(node -> memory.merge(node.machine(), node.freeMemory(), Math::min));
    }

    private void place(Request request) {
      List<WaitReason> reasons = new ArrayList<>();
      for (NodeOffer node : inTurn(request.task().job())) {
        Optional<WaitReason> no = refusal(node, request);
        if (no.isEmpty()) {
          take(node, request);
          return;
        }
        reasons.add(no.get());
      }
      waiting.put(request.task(), reasons.isEmpty() ? List.of(new WaitReason.NoNodes()) : reasons);
    }

    private List<NodeOffer> inTurn(JobId job) {
      String last = lastNode.get(job);
      List<NodeOffer> order = new ArrayList<>(nodes.size());
      nodes.stream().filter(node -> isAfter(node, last)).forEach(order::add);
      nodes.stream().filter(node -> !isAfter(node, last)).forEach(order::add);
      return order;
    }

    private static boolean isAfter(NodeOffer node, String last) {
      return last != null && NodeNames.ORDER.compare(node.node(), last) > 0;
    }

    private Optional<WaitReason> refusal(NodeOffer node, Request request) {
      if (!node.reachable()) {
        return Optional.of(new WaitReason.NodeSilent(node.node()));
      }
      int wanted = request.needs().gpus();
      int free = free(node).size();
      if (free < wanted) {
        return Optional.of(
            new WaitReason.TooFewFreeGpus(node.node(), wanted, free, node.devices().size()));
      }
      long bytes = request.needs().memory();
      long freeBytes = memory.get(node.machine());
      return bytes > 0 && freeBytes < bytes
          ? Optional.of(
              new WaitReason.TooLittleMemory(node.node(), bytes, freeBytes, node.totalMemory()))
          : Optional.empty();
    }

    private List<DeviceId> free(NodeOffer node) {
      return node.free().stream().filter(device -> !lent.contains(device)).toList();
    }

    private void take(NodeOffer node, Request request) {
      List<DeviceId> devices = free(node).subList(0, request.needs().gpus());
      lent.addAll(devices);
      memory.merge(node.machine(), -request.needs().memory(), Long::sum);
      lastNode.put(request.task().job(), node.node());
      placements.add(new Plan.Placement(request.task(), node.node(), devices));
    }
  }
}
