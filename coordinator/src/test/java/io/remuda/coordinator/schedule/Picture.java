package io.remuda.coordinator.schedule;

import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.TaskId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A scheduling cycle as a picture: {@code new Picture().node("n1", "A", "B").wants("1.0", 1)} and
 * then who got what, as {@code 1.0 on n1[A]}.
 */
final class Picture {
  private static final long PLENTY = 1L << 40;

  private final List<NodeOffer> nodes = new ArrayList<>();
  private final List<Request> queue = new ArrayList<>();
  private final Map<JobId, String> lastNode = new HashMap<>();

  static List<DeviceId> devices(String... uuids) {
    return Stream.of(uuids).map(DeviceId::new).toList();
  }

  /** A node whose devices are all free. */
  Picture node(String name, String... uuids) {
    nodes.add(new NodeOffer(name, name, true, devices(uuids), devices(uuids), PLENTY, PLENTY));
    return this;
  }

  /** A node without devices, one of a machine with so much memory left. */
  Picture nodeOf(String machine, String name, long freeMemory) {
    nodes.add(new NodeOffer(name, machine, true, List.of(), List.of(), freeMemory, 1000));
    return this;
  }

  /** A node with devices of which none is free. */
  Picture fullNode(String name, String... uuids) {
    nodes.add(new NodeOffer(name, name, true, devices(uuids), List.of(), PLENTY, PLENTY));
    return this;
  }

  Picture silentNode(String name, String... uuids) {
    nodes.add(new NodeOffer(name, name, false, devices(uuids), devices(uuids), PLENTY, PLENTY));
    return this;
  }

  Picture wants(String task, int gpus) {
    queue.add(new Request(TaskId.parse(task), new ResourceRequest(1, gpus)));
    return this;
  }

  Picture wantsMemory(String task, long bytes) {
    queue.add(new Request(TaskId.parse(task), new ResourceRequest(1, 0, bytes)));
    return this;
  }

  Picture last(long job, String node) {
    lastNode.put(new JobId(job), node);
    return this;
  }

  Plan plan() {
    return RoundRobin.plan(nodes, queue, lastNode);
  }

  /** Who got what. */
  List<String> placed() {
    return plan().placements().stream()
        .map(placement -> placement.task() + " on " + placement.node() + placement.devices())
        .toList();
  }

  List<WaitReason> reasons(String task) {
    return plan().waiting().get(TaskId.parse(task));
  }
}
