package io.remuda.coordinator.history;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.agent.protocol.TaskUse;
import io.remuda.coordinator.api.ClusterActivity;
import io.remuda.coordinator.api.ClusterNodesSnapshot;
import io.remuda.coordinator.api.QueueCounts;
import io.remuda.worker.job.AttemptId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ActivityRowsTest {

  private static final int ABSENT = HistoryMetric.ABSENT;
  private static final AttemptId ATTEMPT = AttemptId.parse("12.0.1");
  private static final ClusterNodesSnapshot NO_NODES =
      new ClusterNodesSnapshot(
          List.of(), Map.of(), Map.of(), Map.of(), Map.of(), Map.of(), Map.of(), Map.of(),
          Map.of());

  private final ActivityRows rows = new ActivityRows();
  private long second = 1000;

  private Map<String, int[]> next(Map<AttemptId, TaskUse> uses, QueueCounts queue) {
    Map<String, int[]> all = new HashMap<>();
    rows.of(
        new ClusterActivity(NO_NODES, uses, queue),
        second++,
        (key, row) -> all.put(key.kind().label() + "/" + key.name(), row));
    return all;
  }

  private int[] task(long ran, long cpu) {
    TaskUse use = new TaskUse(ran, cpu, 3L << 20, null, null, null);
    return next(Map.of(ATTEMPT, use), new QueueCounts(0, 1, Map.of(), Map.of())).get("task/12.0.1");
  }

  @Test
  void the_processors_of_a_task_are_those_between_two_reports() {
    assertArrayEquals(new int[] {500, 3, ABSENT, ABSENT}, task(2000, 1000), "since its start");
    assertEquals(1500, task(4000, 4000)[0]);
    assertEquals(1500, task(4000, 4000)[0], "nothing new was told");
    assertEquals(0, task(5000, 4000)[0]);
  }

  @Test
  void a_use_that_is_not_known_is_absent() {
    TaskUse none = new TaskUse(null, null, null, null, null, null);
    assertArrayEquals(
        new int[] {ABSENT, ABSENT, ABSENT, ABSENT},
        next(Map.of(ATTEMPT, none), new QueueCounts(0, 1, Map.of(), Map.of())).get("task/12.0.1"));
  }

  @Test
  void the_queue_is_counted_in_all_by_user_and_by_reason() {
    QueueCounts.Collector counts = new QueueCounts.Collector();
    counts.add("ann", 3, 1, "no-room-on-gpus");
    counts.add("ann", 0, 2, null);
    counts.add("bob", 4, 0, "no-room-on-gpus");
    Map<String, int[]> all = next(Map.of(), counts.counts());
    assertArrayEquals(new int[] {7, 3}, all.get("queue/all"));
    assertArrayEquals(new int[] {3, 3}, all.get("queue/user:ann"));
    assertArrayEquals(new int[] {4, 0}, all.get("queue/user:bob"));
    assertArrayEquals(new int[] {7, ABSENT}, all.get("queue/reason:no-room-on-gpus"));
  }
}
