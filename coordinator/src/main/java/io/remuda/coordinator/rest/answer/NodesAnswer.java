package io.remuda.coordinator.rest.answer;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.remuda.coordinator.api.ClusterNodesSnapshot;
import java.util.List;
import java.util.Map;

/**
 * The nodes.
 *
 * @param resources the counted resources that all nodes share, by name
 * @param absent why the node of the server's machine is not among those that are connected; absent
 *     if it is, or if that is not known
 */
public record NodesAnswer(
    List<NodeAnswer> nodes,
    Map<String, NodeAnswer.Counted> resources,
    @JsonInclude(JsonInclude.Include.NON_NULL) String absent) {

  /**
   * @param absent why the node of the server's machine is not there, or null
   */
  public static NodesAnswer of(ClusterNodesSnapshot cluster, String absent) {
    return new NodesAnswer(
        cluster.nodes().stream().map(node -> NodeAnswer.of(node, cluster)).toList(),
        cluster.nodes().isEmpty()
            ? Map.of()
            : NodeAnswer.Counted.of(cluster.nodes().get(0).counted().ofCluster()),
        absent);
  }
}
