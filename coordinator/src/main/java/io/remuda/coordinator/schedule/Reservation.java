package io.remuda.coordinator.schedule;

import io.remuda.worker.job.JobId;
import io.remuda.worker.job.ResourceRequest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Room that is kept for the first job that cannot start yet, so that smaller ones behind it do not
 * pass it for ever. On the nodes where it will start, others may take only what leaves enough for
 * it, or what they give back in time by their time limit.
 */
final class Reservation {

  private final JobId job;
  private final Map<String, Integer> tasksByNode;
  private final ResourceRequest needs;

  private Reservation(JobId job, Map<String, Integer> tasksByNode, ResourceRequest needs) {
    this.job = job;
    this.tasksByNode = tasksByNode;
    this.needs = needs;
  }

  /**
   * Chooses nodes on which {@code count} tasks would fit if all others had ended, those first that
   * have the most room now.
   *
   * @return nothing if they fit nowhere
   */
  static Optional<Reservation> of(
      JobId job, int count, ResourceRequest needs, List<NodeOffer> nodes, List<String> inOrder) {
    RoomMap empty = RoomMap.of(nodes.stream().map(Reservation::ifEmptied).toList());
    Map<String, Integer> chosen = new HashMap<>();
    int left = count;
    for (String name : inOrder) {
      NodeRoom room = empty.get(name);
      while (left > 0 && Fit.refusal(room, needs).isEmpty()) {
        room.take(needs, NodeRoom.fullestFirst());
        chosen.merge(name, 1, Integer::sum);
        left--;
      }
    }
    return left == 0 ? Optional.of(new Reservation(job, chosen, needs)) : Optional.empty();
  }

  private static NodeOffer ifEmptied(NodeOffer offer) {
    return offer.presence() == NodeOffer.Presence.READY ? offer.emptied() : offer;
  }

  /** Why another task must not be put on the node now, though it fits. */
  Optional<WaitReason> refusal(NodeRoom node, ResourceRequest other, long timeLimitMillis) {
    Integer kept = tasksByNode.get(node.name());
    if (kept == null || endsBefore(node, timeLimitMillis) || leavesEnough(node, other, kept)) {
      return Optional.empty();
    }
    return Optional.of(new WaitReason.HeldForOther(node.name(), job));
  }

  private static boolean endsBefore(NodeRoom node, long timeLimitMillis) {
    return timeLimitMillis > 0 && timeLimitMillis <= node.offer().clearsInMillis();
  }

  private boolean leavesEnough(NodeRoom node, ResourceRequest other, int tasks) {
    return leaves(node.freeCpus(), other.milliCpus(), needs.milliCpus() * tasks)
        && leaves(node.freeMemory(), other.memory(), needs.memory() * tasks)
        && leaves(node.wholeGpus(null), other.gpus(), (long) needs.gpus() * tasks);
  }

  private static boolean leaves(long free, long taken, long kept) {
    return taken == 0 || kept == 0 || free - taken >= kept;
  }
}
