package io.remuda.coordinator.rest.answer;

import io.remuda.coordinator.api.ClusterView;
import java.util.List;

/** The nodes. */
public record NodesAnswer(List<NodeAnswer> nodes) {

  public static NodesAnswer of(ClusterView cluster) {
    return new NodesAnswer(
        cluster.nodes().stream().map(node -> NodeAnswer.of(node, cluster)).toList());
  }
}
