package io.remuda.coordinator.occupancy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.coordinator.api.ClusterActivity;
import io.remuda.coordinator.api.ClusterNodesSnapshot;
import io.remuda.coordinator.api.JobWait;
import io.remuda.coordinator.api.QueueCounts;
import io.remuda.coordinator.schedule.model.DeviceOffer;
import io.remuda.coordinator.schedule.model.NodeOffer;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.JobId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who had which GPU, and why nobody had it. */
class GpuRecordsTest {
  private static final long GIB = 1L << 30;

  @TempDir private Path folder;
  private final Map<DeviceId, List<AttemptId>> holders = new HashMap<>();
  private final List<JobWait> waits = new ArrayList<>();
  private NodeOffer.Presence presence = NodeOffer.Presence.READY;
  private Map<String, Integer> reasons = Map.of();

  private GpuRecords open(long second) throws IOException {
    return GpuRecords.open(folder.resolve("gpus"), second);
  }

  private ClusterActivity activity() {
    NodeOffer.Amount amount = new NodeOffer.Amount(1, 1);
    NodeOffer node =
        new NodeOffer(
            "n1",
            "n1",
            presence,
            Map.of(),
            amount,
            amount,
            List.of(
                new DeviceOffer(
                    new DeviceId("GPU-a"), "H200", 8 * GIB, 8 * GIB, DeviceOffer.Standing.FREE)),
            OptionalLong.empty());
    return new ClusterActivity(
        new ClusterNodesSnapshot(
            List.of(node),
            Map.of(),
            Map.copyOf(holders),
            Map.of(),
            Map.of(),
            Map.of(),
            Map.of(),
            Map.of(),
            Map.of()),
        Map.of(),
        new QueueCounts(0, 0, Map.of(), reasons),
        List.copyOf(waits),
        Set.of());
  }

  private void has(String... attempts) {
    holders.clear();
    holders.put(new DeviceId("GPU-a"), List.of(attempts).stream().map(AttemptId::parse).toList());
  }

  private void waits(WaitReason reason) {
    waits.clear();
    waits.add(new JobWait(new JobId(9), 0, List.of(reason), true, null));
  }

  private static String spans(GpuRecords records) throws IOException {
    TreeSet<String> all = new TreeSet<>();
    records.read(
        0,
        1000,
        span ->
            all.add(
                span.from()
                    + "-"
                    + span.to()
                    + " "
                    + span.attempt()
                    + span.gap()
                    + (span.keptFor() == 0 ? "" : " " + span.keptFor())));
    return String.join(", ", all);
  }

  @Test
  void attempts_and_gaps_have_their_times_and_a_gap_its_reason() throws IOException {
    try (GpuRecords records = open(100)) {
      records.seen(activity(), 101);
      has("1.0.1");
      records.seen(activity(), 102);
      records.seen(activity(), 103);
      has("1.0.1", "2.0.1");
      records.seen(activity(), 104);
      has("2.0.1");
      records.seen(activity(), 105);
      has();
      waits(new WaitReason.HeldForOther("n1", new JobId(17)));
      records.seen(activity(), 106);
      waits(new WaitReason.TooLittleGpuMemory("n1", 2, 1, 0, 1, 1));
      records.seen(activity(), 107);
      waits(new WaitReason.TooFewFreeCpus("n1", 1000, 0, 1000));
      records.seen(activity(), 108);
      waits(new WaitReason.OnHold());
      records.seen(activity(), 109);
      presence = NodeOffer.Presence.DRAINING;
      records.seen(activity(), 110);
      presence = NodeOffer.Presence.SILENT;
      records.seen(activity(), 111);
      assertEquals(
          "101-102 nobody-waited, 102-105 1.0.1, 104-106 2.0.1, 106-107 kept-for 17,"
              + " 107-108 memory-too-small, 108-109 too-few-free-cpus, 109-110 nobody-waited,"
              + " 110-111 drained, 111-112 away",
          spans(records));
      assertEquals(111, records.lastSeen());
      assertEquals(100, records.since());
    }
  }

  @Test
  void free_gpus_that_are_too_few_are_so_for_a_job() throws IOException {
    try (GpuRecords records = open(100)) {
      waits(new WaitReason.TooFewFreeGpus("n1", 8, 1, 8));
      records.seen(activity(), 101);
      assertEquals("101-102 too-few-free-gpus 9", spans(records));
    }
  }

  @Test
  void a_job_that_wants_no_gpu_leaves_none_empty() throws IOException {
    try (GpuRecords records = open(100)) {
      WaitReason cpus = new WaitReason.TooFewFreeCpus("n1", 1000, 0, 1000);
      waits.add(new JobWait(new JobId(9), 0, List.of(cpus), false, null));
      records.seen(activity(), 101);
      assertEquals("101-102 nobody-waited", spans(records));
    }
  }

  @Test
  void a_span_that_was_written_as_open_and_as_over_counts_once() throws IOException {
    GpuRecords killed = open(100);
    for (long second = 101; second <= 106; second++) {
      killed.seen(activity(), second);
    }
    Path open = folder.resolve("gpus/open");
    byte[] before = Files.readAllBytes(open);
    has("1.0.1");
    for (long second = 107; second <= 112; second++) {
      killed.seen(activity(), second);
    }
    Files.write(open, before); // killed between the two
    try (GpuRecords next = open(200)) {
      List<String> gaps = new ArrayList<>();
      next.read(0, 1000, span -> gaps.add(span.from() + "-" + span.to() + span.gap()));
      assertEquals(List.of("101-107nobody-waited"), gaps);
    }
  }

  @Test
  void a_span_that_is_written_while_it_is_read_counts_once() throws IOException {
    try (GpuRecords records = open(100)) {
      records.seen(activity(), 101);
      has("1.0.1");
      records.seen(activity(), 102);
      has();
      for (long second = 103; second <= 107; second++) {
        records.seen(activity(), second);
      }
      has("2.0.1");
      records.seen(activity(), 108);
      List<String> all = new ArrayList<>();
      records.read(
          0,
          1000,
          span -> {
            if (all.isEmpty()) { // the first comes from a file: now the others are written, too
              for (long second = 109; second <= 120; second++) {
                records.seen(activity(), second);
              }
            }
            all.add(span.from() + " " + span.attempt());
          });
      assertEquals(all.size(), Set.copyOf(all).size(), all::toString);
      assertEquals(4, all.size(), all::toString);
    }
  }

  @Test
  void why_it_is_empty_is_unknown_if_not_all_that_wait_are_looked_at() throws IOException {
    try (GpuRecords records = open(100)) {
      for (long job = 1; job <= 21; job++) {
        waits.add(new JobWait(new JobId(job), 0, List.of(new WaitReason.OnHold()), true, null));
      }
      records.seen(activity(), 101);
      waits.remove(0);
      records.seen(activity(), 102);
      reasons = Map.of("on-hold", 20, QueueCounts.NOT_LOOKED_AT, 3);
      records.seen(activity(), 103);
      assertEquals("101-102 unknown, 102-103 nobody-waited, 103-104 unknown", spans(records));
    }
  }

  @Test
  void a_kill_loses_some_seconds_and_what_nobody_saw_is_missing() throws IOException {
    GpuRecords killed = open(100);
    has("1.0.1");
    for (long second = 101; second <= 120; second++) {
      killed.seen(activity(), second);
    }
    try (GpuRecords next = open(200)) {
      assertEquals("101-120 1.0.1", spans(next));
      has();
      next.seen(activity(), 201);
      next.seen(activity(), 301);
      assertEquals("101-120 1.0.1, 201-201 nobody-waited, 301-302 nobody-waited", spans(next));
    }
    try (GpuRecords again = open(400)) {
      assertEquals(
          "101-120 1.0.1, 201-201 nobody-waited, 301-301 nobody-waited",
          spans(again),
          "a server that ends writes everything");
      assertEquals(100, again.since());
    }
  }
}
