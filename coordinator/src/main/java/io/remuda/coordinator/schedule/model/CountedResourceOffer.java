package io.remuda.coordinator.schedule.model;

import io.remuda.coordinator.schedule.model.NodeOffer.Amount;
import java.util.Map;
import java.util.TreeMap;

/**
 * The counted resources that a task can have on a node, by name. A name that the cluster counts is
 * not counted by the node.
 *
 * @param ofNode those of the node
 * @param ofCluster those of the cluster, which all nodes share
 */
public record CountedResourceOffer(Map<String, Amount> ofNode, Map<String, Amount> ofCluster) {

  /** Nothing is counted. */
  public static final CountedResourceOffer NONE = new CountedResourceOffer(Map.of(), Map.of());

  public CountedResourceOffer {
    ofNode = Map.copyOf(ofNode);
    ofCluster = Map.copyOf(ofCluster);
  }

  /** Returns the same with other resources of the cluster. */
  public CountedResourceOffer inCluster(Map<String, Amount> others) {
    return new CountedResourceOffer(ofNode, others);
  }

  CountedResourceOffer emptied() {
    return equals(NONE) ? NONE : new CountedResourceOffer(emptied(ofNode), emptied(ofCluster));
  }

  private static Map<String, Amount> emptied(Map<String, Amount> amounts) {
    Map<String, Amount> emptied = new TreeMap<>();
    amounts.forEach((name, amount) -> emptied.put(name, amount.emptied()));
    return emptied;
  }
}
