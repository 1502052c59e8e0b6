package io.remuda.coordinator.schedule;

import io.remuda.coordinator.schedule.model.RemainingNodeCapacity;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.worker.job.ResourceRequest;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Remembers which nodes refuse which needs, as long as the nodes do not change. */
final class FitRows {

  /** Bound of what is remembered: about 70 bytes each, and nothing of the nodes themselves. */
  private static final int MOST_CELLS = 250_000;

  /** What the nodes say to some needs, by their positions in the cluster. */
  static final class Row {
    private final long[] generations;
    private final int[] versions;
    private final Optional<WaitReason>[] refusals;

    @SuppressWarnings("unchecked") // an array of a generic type
    private Row(int size) {
      generations = new long[size];
      versions = new int[size];
      refusals = (Optional<WaitReason>[]) new Optional<?>[size];
    }

    /** Returns why the needs do not fit on the node at a position, empty if they fit. */
    Optional<WaitReason> refusal(int position, RemainingNodeCapacity node, ResourceRequest needs) {
      if (generations[position] != node.generation()
          || versions[position] != node.version()
          || node.isShared()) {
        generations[position] = node.generation();
        versions[position] = node.version();
        refusals[position] = FitCheck.refusal(node, needs);
      }
      return refusals[position];
    }
  }

  private final Map<ResourceRequest, Row> rows =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<ResourceRequest, Row> eldest) {
          return size() > 1 && (long) size() * eldest.getValue().versions.length > MOST_CELLS;
        }
      };

  /** Returns the row of these needs; null if what other nodes take may change it. */
  Row of(ResourceRequest needs, int nodes) {
    if (!needs.nodeNeeds().counted().isEmpty()) {
      return null;
    }
    Row row = rows.get(needs);
    if (row == null || row.versions.length != nodes) {
      row = new Row(nodes);
      rows.put(needs, row);
    }
    return row;
  }
}
