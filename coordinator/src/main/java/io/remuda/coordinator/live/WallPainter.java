package io.remuda.coordinator.live;

import io.remuda.coordinator.api.ClusterNodesSnapshot;
import io.remuda.coordinator.schedule.model.DeviceOffer;
import io.remuda.coordinator.schedule.model.NodeOffer;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.telemetry.model.DeviceSample;
import io.remuda.telemetry.model.NodeSample;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Makes pictures of all nodes and GPUs. It remembers when a node sent its newest sample, by the
 * server's clock: that of the node may be set otherwise. Not thread-safe.
 */
final class WallPainter {

  /** A node's sample that was seen in so many seconds is not new any more. */
  private static final int STALE_SECONDS = 3;

  private record Seen(long sequence, long at, long second) {}

  private final Map<String, Seen> seen = new HashMap<>();

  /**
   * Returns the picture of a moment.
   *
   * @param second since 1970
   */
  WallPicture paint(ClusterNodesSnapshot cluster, long second) {
    List<WallNode> nodes = new ArrayList<>(cluster.nodes().size());
    List<WallGpu> gpus = new ArrayList<>();
    for (NodeOffer node : cluster.nodes()) {
      NodeSample sample = cluster.samples().get(node.node());
      Map<DeviceId, DeviceSample> readings = sample == null ? Map.of() : sample.byDevice();
      for (DeviceOffer device : node.devices()) {
        gpus.add(WallGpu.of(nodes.size(), device, readings.get(device.id()), cluster));
      }
      nodes.add(
          WallNode.of(
              node,
              cluster.running().getOrDefault(node.node(), 0),
              sample == null ? null : sample.host(),
              sample == null ? null : silentSince(sample, second)));
    }
    seen.keySet().retainAll(cluster.samples().keySet());
    return new WallPicture(nodes, gpus);
  }

  /** Returns since when there is no newer sample; null if this one is new. */
  private Long silentSince(NodeSample sample, long second) {
    Seen last = seen.get(sample.node());
    if (last == null
        || last.sequence() != sample.sequence()
        || last.at() != sample.atEpochMillis()) {
      seen.put(sample.node(), new Seen(sample.sequence(), sample.atEpochMillis(), second));
      return null;
    }
    return second - last.second() < STALE_SECONDS ? null : Long.valueOf(last.second());
  }
}
