package io.remuda.coordinator.live;

import java.util.List;

/** All nodes and GPUs as they are drawn, in order: GPUs by node. */
record WallPicture(List<WallNode> nodes, List<WallGpu> gpus) {

  WallPicture {
    nodes = List.copyOf(nodes);
    gpus = List.copyOf(gpus);
  }

  /** Returns whether both have the same nodes and GPUs in the same places. */
  boolean isSameWall(WallPicture other) {
    if (nodes.size() != other.nodes.size() || gpus.size() != other.gpus.size()) {
      return false;
    }
    for (int at = 0; at < nodes.size(); at++) {
      if (!nodes.get(at).what().name().equals(other.nodes.get(at).what().name())) {
        return false;
      }
    }
    for (int at = 0; at < gpus.size(); at++) {
      WallGpu.What one = gpus.get(at).what();
      WallGpu.What two = other.gpus.get(at).what();
      if (one.node() != two.node() || !one.uuid().equals(two.uuid())) {
        return false;
      }
    }
    return true;
  }
}
