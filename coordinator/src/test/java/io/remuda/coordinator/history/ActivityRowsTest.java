package io.remuda.coordinator.history;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.agent.protocol.TaskUse;
import io.remuda.coordinator.api.ClusterActivity;
import io.remuda.coordinator.api.ClusterNodesSnapshot;
import io.remuda.coordinator.api.QueueCollector;
import io.remuda.coordinator.api.QueueCounts;
import io.remuda.coordinator.schedule.model.NodeOffer;
import io.remuda.telemetry.model.HostDetails;
import io.remuda.telemetry.model.HostSample;
import io.remuda.telemetry.model.NodeSample;
import io.remuda.telemetry.model.TemperatureReading;
import io.remuda.telemetry.model.TransferReading;
import io.remuda.worker.job.AttemptId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
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
    QueueCollector counts = new QueueCollector();
    counts.add("ann", 3, 1, "no-room-on-gpus");
    counts.add("ann", 0, 2, null);
    counts.add("bob", 4, 0, "no-room-on-gpus");
    Map<String, int[]> all = next(Map.of(), counts.counts());
    assertArrayEquals(new int[] {7, 3}, all.get("queue/all"));
    assertArrayEquals(new int[] {3, 3}, all.get("queue/user:ann"));
    assertArrayEquals(new int[] {4, 0}, all.get("queue/user:bob"));
    assertArrayEquals(new int[] {7, ABSENT}, all.get("queue/reason:no-room-on-gpus"));
  }

  private int[] node(HostDetails details) {
    HostSample host = new HostSample(1.5, 0, 0, 0.25, 4, 8L << 30, 6L << 30, null, details);
    NodeSample sample = new NodeSample("n1", second, second, host, List.of());
    NodeOffer.Amount amount = new NodeOffer.Amount(4000, 4000);
    NodeOffer offer =
        new NodeOffer(
            "n1",
            "n1",
            NodeOffer.Presence.READY,
            Map.of(),
            amount,
            amount,
            List.of(),
            OptionalLong.empty());
    ClusterNodesSnapshot nodes =
        new ClusterNodesSnapshot(
            List.of(offer),
            Map.of(),
            Map.of(),
            Map.of(),
            Map.of("n1", sample),
            Map.of(),
            Map.of(),
            Map.of(),
            Map.of());
    Map<String, int[]> all = new HashMap<>();
    rows.of(
        new ClusterActivity(nodes, Map.of(), new QueueCounts(0, 0, Map.of(), Map.of())),
        second++,
        (key, row) -> all.put(key.kind().label() + "/" + key.name(), row));
    return all.get("node/n1");
  }

  @Test
  void a_node_has_the_rates_of_all_its_disks_and_networks_and_its_highest_temperature() {
    double unit = 1 << 14;
    assertArrayEquals(
        new int[] {250, 2048, 150, 0, 5, 7, 100, 200, 71},
        node(
            new HostDetails(
                null,
                null,
                List.of(
                    new TransferReading("sda", 0, 0, 2 * unit, 3 * unit),
                    new TransferReading("sdb", 0, 0, 3 * unit, 4 * unit)),
                List.of(new TransferReading("eth0", 0, 0, 100 * unit, 200 * unit)),
                List.of(new TemperatureReading("a", 70.6), new TemperatureReading("b", 40)),
                null)));
  }

  @Test
  void a_node_whose_agent_tells_no_details_has_none_in_the_history() {
    assertArrayEquals(
        new int[] {250, 2048, 150, 0, ABSENT, ABSENT, ABSENT, ABSENT, ABSENT},
        node(HostDetails.UNKNOWN));
  }
}
