package io.remuda.coordinator.registry;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Groups nodes that are connected, directly or through others, by shared resources. */
final class SharedResourceNodeGroups {

  private final int[] leader;

  private SharedResourceNodeGroups(int count) {
    leader = new int[count];
    for (int node = 0; node < count; node++) {
      leader[node] = node;
    }
  }

  /**
   * Returns the groups of nodes, as indexes of the list in ascending order.
   *
   * @param ties shared resources of each node; nodes with a common one are in one group
   */
  static Collection<List<Integer>> among(List<Set<Object>> ties) {
    SharedResourceNodeGroups connectedNodes = new SharedResourceNodeGroups(ties.size());
    Map<Object, Integer> firstWith = new HashMap<>();
    for (int node = 0; node < ties.size(); node++) {
      for (Object tie : ties.get(node)) {
        Integer other = firstWith.putIfAbsent(tie, node);
        if (other != null) {
          connectedNodes.join(node, other);
        }
      }
    }
    Map<Integer, List<Integer>> groups = new LinkedHashMap<>();
    for (int node = 0; node < ties.size(); node++) {
      groups.computeIfAbsent(connectedNodes.leader(node), first -> new ArrayList<>()).add(node);
    }
    return groups.values();
  }

  private void join(int node, int other) {
    leader[leader(node)] = leader(other);
  }

  private int leader(int node) {
    int of = node;
    while (leader[of] != of) {
      of = leader[of];
    }
    return of;
  }
}
