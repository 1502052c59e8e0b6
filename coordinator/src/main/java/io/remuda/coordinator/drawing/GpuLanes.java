package io.remuda.coordinator.drawing;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Where the spans of a GPU stand that tasks share: those at the same time in lanes beside each
 * other, one that is alone over the whole height.
 */
final class GpuLanes {

  /**
   * A span in its lane.
   *
   * @param lane from 0
   * @param lanes number of lanes at its time
   */
  record Placed(GpuSpan span, int lane, int lanes) {}

  private GpuLanes() {}

  /** Returns all spans in the order of time. */
  static List<Placed> of(List<GpuSpan> spans, long last) {
    List<GpuSpan> sorted = new ArrayList<>(spans);
    sorted.sort(
        Comparator.comparingLong(GpuSpan::from)
            .thenComparing(GpuSpan::label)
            .thenComparing(GpuSpan::words));
    List<Placed> placed = new ArrayList<>();
    List<GpuSpan> together = new ArrayList<>();
    long end = Long.MIN_VALUE;
    for (GpuSpan span : sorted) {
      if (span.from() >= end) {
        placed.addAll(lanes(together, last));
        together.clear();
      }
      together.add(span);
      end = Math.max(end, span.end(last));
    }
    placed.addAll(lanes(together, last));
    return placed;
  }

  private static List<Placed> lanes(List<GpuSpan> spans, long last) {
    List<Long> ends = new ArrayList<>();
    int[] lanes = new int[spans.size()];
    for (int at = 0; at < lanes.length; at++) {
      GpuSpan span = spans.get(at);
      int lane = 0;
      while (lane < ends.size() && ends.get(lane) > span.from()) {
        lane++;
      }
      if (lane == ends.size()) {
        ends.add(span.end(last));
      } else {
        ends.set(lane, span.end(last));
      }
      lanes[at] = lane;
    }
    List<Placed> placed = new ArrayList<>();
    for (int at = 0; at < lanes.length; at++) {
      placed.add(new Placed(spans.get(at), lanes[at], ends.size()));
    }
    return placed;
  }
}
