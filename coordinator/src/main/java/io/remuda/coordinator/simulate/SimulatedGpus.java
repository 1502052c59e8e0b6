package io.remuda.coordinator.simulate;

import io.remuda.coordinator.schedule.VictimSearch;
import io.remuda.coordinator.schedule.model.DeviceOffer;
import io.remuda.coordinator.schedule.model.NodeOffer;
import io.remuda.coordinator.schedule.model.NodeOffer.Amount;
import io.remuda.coordinator.schedule.model.NodeOffer.Presence;
import io.remuda.telemetry.model.DeviceId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Nodes with a core for each GPU, and which job has which GPU. What has not changed is the same
 * object as before, so that plans need not look at it again.
 */
final class SimulatedGpus implements VictimSearch.Capacity {

  private static final long CORE = 1000;
  private static final long GPU_BYTES = 1 << 30;

  private static final class Node {
    private final String name;
    private final DeviceOffer[] free;
    private final DeviceOffer[] taken;
    private final long[] job;

    private Node(String name, int gpus) {
      this.name = name;
      this.free = new DeviceOffer[gpus];
      this.taken = new DeviceOffer[gpus];
      this.job = new long[gpus];
      for (int i = 0; i < gpus; i++) {
        DeviceId id = new DeviceId(name + "/" + i);
        free[i] = new DeviceOffer(id, "GPU", GPU_BYTES, GPU_BYTES, DeviceOffer.Standing.FREE);
        taken[i] = new DeviceOffer(id, "GPU", GPU_BYTES, 0, DeviceOffer.Standing.TAKEN);
      }
    }

    /** Returns what the node has free, also the GPUs of these jobs. */
    private NodeOffer offer(Set<Long> without) {
      List<DeviceOffer> devices = new ArrayList<>(job.length);
      int left = 0;
      Set<Long> tasks = new HashSet<>();
      for (int i = 0; i < job.length; i++) {
        boolean idle = job[i] == 0 || without.contains(job[i]);
        devices.add(idle ? free[i] : taken[i]);
        left += idle ? 1 : 0;
        if (!idle) {
          tasks.add(job[i]);
        }
      }
      Amount cpus = new Amount(left * CORE, job.length * CORE);
      Amount memory = new Amount(0, 0);
      NodeOffer.MachineOffer machine = new NodeOffer.MachineOffer(name, cpus, memory);
      return new NodeOffer(
          name,
          machine,
          Presence.READY,
          Map.of(),
          cpus,
          memory,
          devices,
          List.of(),
          null,
          tasks.size(),
          io.remuda.coordinator.schedule.model.CountedResourceOffer.NONE);
    }

    private boolean hasAny(Set<Long> jobs) {
      return Arrays.stream(job).anyMatch(one -> one != 0 && jobs.contains(one));
    }
  }

  private final Node[] nodes;
  private final NodeOffer[] offers;
  private final Map<String, Integer> positions = new HashMap<>();

  SimulatedGpus(Map<String, Integer> gpus) {
    nodes = new Node[gpus.size()];
    offers = new NodeOffer[gpus.size()];
    gpus.forEach(
        (name, count) -> {
          int position = positions.size();
          positions.put(name, position);
          nodes[position] = new Node(name, count);
          offers[position] = nodes[position].offer(Set.of());
        });
  }

  int count() {
    return Arrays.stream(nodes).mapToInt(node -> node.job.length).sum();
  }

  /** Returns what all nodes have free. */
  List<NodeOffer> offers() {
    return Arrays.asList(offers.clone());
  }

  @Override
  public List<NodeOffer> without(Set<Long> jobs) {
    NodeOffer[] all = offers.clone();
    for (int i = 0; i < all.length && !jobs.isEmpty(); i++) {
      all[i] = nodes[i].hasAny(jobs) ? nodes[i].offer(jobs) : all[i];
    }
    return Arrays.asList(all);
  }

  /** Gives GPUs of a node to a job. */
  void take(long job, String node, List<DeviceId> devices) {
    int position = positions.get(node);
    for (DeviceId device : devices) {
      int index = Integer.parseInt(SimulatedNodes.index(device));
      if (nodes[position].job[index] != 0) {
        throw new IllegalStateException("GPU " + device.uuid() + " is given twice");
      }
      nodes[position].job[index] = job;
    }
    offers[position] = nodes[position].offer(Set.of());
  }

  /** Takes all GPUs of a node from a job. */
  void leave(long job, String node) {
    int position = positions.get(node);
    long[] jobs = nodes[position].job;
    for (int i = 0; i < jobs.length; i++) {
      jobs[i] = jobs[i] == job ? 0 : jobs[i];
    }
    offers[position] = nodes[position].offer(Set.of());
  }
}
