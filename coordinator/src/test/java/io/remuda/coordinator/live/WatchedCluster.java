package io.remuda.coordinator.live;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.api.ClusterActivity;
import io.remuda.coordinator.api.ClusterMetrics;
import io.remuda.coordinator.api.ClusterNodesSnapshot;
import io.remuda.coordinator.api.LiveClusterView;
import io.remuda.coordinator.api.QueueCollector;
import io.remuda.coordinator.client.RestClient;
import io.remuda.coordinator.cluster.LeaderNotice;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.schedule.model.DeviceOffer;
import io.remuda.coordinator.schedule.model.NodeOffer;
import io.remuda.telemetry.model.DeviceHealth;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.telemetry.model.DeviceInfo;
import io.remuda.telemetry.model.DeviceSample;
import io.remuda.telemetry.model.DeviceSampleBuilder;
import io.remuda.telemetry.model.DeviceVendor;
import io.remuda.telemetry.model.HostSample;
import io.remuda.telemetry.model.NodeSample;
import io.remuda.worker.job.AttemptId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A cluster that is not there, a clock that is moved, and a feed of both. */
final class WatchedCluster {

  private static final long GIB = 1L << 30;

  /** An event as it was sent. */
  record Event(String name, String id, JsonNode data) {}

  private record Due(long at, Runnable what) {}

  private final int gpus;
  private final Map<Integer, Integer> busy = new HashMap<>();
  private final Map<DeviceId, List<AttemptId>> holders = new HashMap<>();
  private final Set<Integer> silent = new HashSet<>();
  private final Map<Integer, NodeSample> last = new HashMap<>();
  private final List<Due> due = new ArrayList<>();
  private final List<ClusterMetrics.RunningJob> running = new ArrayList<>();
  private int nodes;
  private int looks;
  private long millis = 1_800_000_000_000L;
  private boolean away;
  private long lookMillis;
  private boolean broken;

  WatchedCluster(int nodes, int gpus) {
    this.nodes = nodes;
    this.gpus = gpus;
  }

  LiveFeed feed() {
    return new LiveFeed(this::look, this::later, new HandClock());
  }

  private final class HandClock extends Clock {
    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }

    @Override
    public Instant instant() {
      return Instant.ofEpochMilli(millis);
    }
  }

  void later(Duration delay, Runnable what) {
    due.add(new Due(millis + delay.toMillis(), what));
  }

  /** Lets time pass, and what is due happen in its order. */
  void passes(long time) {
    long end = millis + time;
    while (due.stream().anyMatch(one -> one.at() <= end)) {
      Due next = due.stream().min((one, two) -> Long.compare(one.at(), two.at())).orElseThrow();
      due.remove(next);
      millis = Math.max(millis, next.at());
      next.what().run();
    }
    millis = end;
  }

  long seconds() {
    return millis / 1000;
  }

  int looks() {
    return looks;
  }

  void nodes(int count) {
    nodes = count;
  }

  void busy(int gpu, int percent) {
    busy.put(gpu, percent);
  }

  void allBusy(int percent) {
    for (int gpu = 0; gpu < nodes * gpus; gpu++) {
      busy.put(gpu, percent);
    }
  }

  void isSilent(int node) {
    silent.add(node);
  }

  void looksTake(long millis) {
    lookMillis = millis;
  }

  /** Sets whether a question throws. */
  void isBroken(boolean isBroken) {
    broken = isBroken;
  }

  void isAway(boolean isAway) {
    away = isAway;
  }

  void job(long number, String user, String name) {
    running.add(new ClusterMetrics.RunningJob(number, user, name));
  }

  void lends(int gpu, String attempt) {
    holders.put(device(gpu / gpus, gpu % gpus).id(), List.of(AttemptId.parse(attempt)));
  }

  CompletionStage<LiveFeed.Sight> look() {
    looks++;
    millis += lookMillis;
    if (broken) {
      throw new IllegalStateException("broken");
    }
    if (away) {
      return CompletableFuture.failedFuture(new IOException("away"));
    }
    QueueCollector queue = new QueueCollector();
    queue.add("ann", 3, 1, "no-room-on-gpus");
    return CompletableFuture.completedFuture(
        new LiveFeed.Sight(
            new LiveClusterView(
                new ClusterActivity(snapshot(), Map.of(), queue.counts()),
                Map.of(TaskState.WAITING, 3, TaskState.RUNNING, 1),
                Map.of(TaskState.WAITING, 1),
                null,
                null,
                running,
                0),
            new LiveFeed.Records(0, 5),
            new LeaderNotice("a", "a:2", 3, 1_700_000_000_000L, "0.1.0", null)));
  }

  private ClusterNodesSnapshot snapshot() {
    List<NodeOffer> offers = new ArrayList<>();
    Map<String, NodeSample> samples = new TreeMap<>();
    for (int node = 0; node < nodes; node++) {
      offers.add(offer(node));
      if (!silent.contains(node) || !last.containsKey(node)) {
        last.put(node, sample(node));
      }
      samples.put("n" + node, last.get(node));
    }
    return new ClusterNodesSnapshot(
        offers, Map.of(), holders, Map.of(), samples, Map.of(), Map.of(), Map.of(), Map.of());
  }

  private NodeOffer offer(int node) {
    NodeOffer.Amount amount = new NodeOffer.Amount(64_000, 64_000);
    List<DeviceOffer> devices = new ArrayList<>();
    for (int gpu = 0; gpu < gpus; gpu++) {
      DeviceInfo device = device(node, gpu);
      devices.add(
          new DeviceOffer(
              device.id(), device.name(), 140 * GIB, 140 * GIB, DeviceOffer.Standing.FREE));
    }
    return new NodeOffer(
        "n" + node,
        "n" + node,
        NodeOffer.Presence.READY,
        Map.of(),
        amount,
        amount,
        devices,
        OptionalLong.empty());
  }

  private static DeviceInfo device(int node, int gpu) {
    return new DeviceInfo(
        new DeviceId("GPU-" + node + "-" + gpu),
        gpu,
        DeviceVendor.NVIDIA,
        "NVIDIA H200",
        "00000000:3B:00.0",
        140 * GIB,
        "570.1");
  }

  private NodeSample sample(int node) {
    List<DeviceSample> said = new ArrayList<>();
    for (int gpu = 0; gpu < gpus; gpu++) {
      said.add(
          DeviceSampleBuilder.of(device(node, gpu))
              .utilGpu(busy.getOrDefault(node * gpus + gpu, 37))
              .memTotal(140 * GIB)
              .memUsed(30 * GIB)
              .tempC(61)
              .powerMw(250_500)
              .powerLimitMw(700_000)
              .processes(List.of())
              .health(DeviceHealth.OK)
              .build());
    }
    HostSample host = new HostSample(1.5, 1, 1, 0.25, 64, 512 * GIB, 400 * GIB, null);
    return new NodeSample("n" + node, millis, millis, host, said);
  }

  /** Takes a batch apart as a browser does. */
  static List<Event> events(LiveBatch batch) {
    List<Event> events = new ArrayList<>();
    String text = new String(batch.events(), StandardCharsets.UTF_8);
    for (String event : text.split("(\r\n|\r|\n){2}")) {
      Map<String, String> fields = new HashMap<>();
      for (String line : event.split("\r\n|\r|\n")) {
        int colon = line.indexOf(':');
        fields.put(line.substring(0, colon), line.substring(colon + 1).strip());
      }
      try {
        events.add(
            new Event(
                fields.get("event"),
                fields.get("id"),
                RestClient.JSON.readTree(fields.get("data"))));
      } catch (IOException fault) {
        throw new UncheckedIOException(fault);
      }
    }
    return events;
  }
}
