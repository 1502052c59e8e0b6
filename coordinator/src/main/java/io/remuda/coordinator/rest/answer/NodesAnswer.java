package io.remuda.coordinator.rest.answer;

import io.remuda.coordinator.api.ClusterNodesSnapshot;
import java.util.List;
import java.util.Map;

/**
 * The nodes.
 *
 * @param resources the counted resources that all nodes share, by name
 */
public record NodesAnswer(List<NodeAnswer> nodes, Map<String, NodeAnswer.Counted> resources) {

  public static NodesAnswer of(ClusterNodesSnapshot cluster) {
    return new NodesAnswer(
        cluster.nodes().stream().map(node -> NodeAnswer.of(node, cluster)).toList(),
        cluster.nodes().isEmpty()
            ? Map.of()
            : NodeAnswer.Counted.of(cluster.nodes().get(0).counted().ofCluster()));
  }
}
