package io.remuda.coordinator.metrics;

import io.remuda.coordinator.api.ClusterActivity;
import io.remuda.coordinator.api.ClusterMetrics;
import io.remuda.coordinator.api.ClusterNodesSnapshot;
import io.remuda.coordinator.api.QueueCollector;
import io.remuda.coordinator.cluster.ClusterMemberStatus;
import io.remuda.coordinator.cluster.LeaderNotice;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.meter.CoordinatorMeters;
import io.remuda.coordinator.meter.DurationHistogram;
import io.remuda.coordinator.schedule.model.DeviceOffer;
import io.remuda.coordinator.schedule.model.NodeOffer;
import io.remuda.telemetry.model.DeviceHealth;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.telemetry.model.DeviceInfo;
import io.remuda.telemetry.model.DeviceProcess;
import io.remuda.telemetry.model.DeviceSample;
import io.remuda.telemetry.model.DeviceSampleBuilder;
import io.remuda.telemetry.model.DeviceVendor;
import io.remuda.telemetry.model.HostDetails;
import io.remuda.telemetry.model.HostSample;
import io.remuda.telemetry.model.NodeSample;
import io.remuda.worker.job.AttemptId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** Metrics of a cluster that is not there. */
final class SimulatedClusterMetrics {

  private static final long GIB = 1L << 30;

  private final List<NodeOffer> offers = new ArrayList<>();
  private final Map<String, NodeSample> samples = new HashMap<>();
  private final Map<DeviceId, DeviceInfo> devices = new HashMap<>();
  private final Map<String, String> hosts = new HashMap<>();
  private final Map<DeviceId, List<AttemptId>> holders = new HashMap<>();
  private final List<ClusterMetrics.RunningJob> running = new ArrayList<>();
  private HostDetails details = HostDetails.UNKNOWN;
  private int left;

  /** Returns what a driver says of a GPU that gives every value. */
  static DeviceSampleBuilder all(DeviceInfo device) {
    return DeviceSampleBuilder.of(device)
        .utilGpu(37)
        .utilMem(12)
        .memTotal(140 * GIB)
        .memUsed(30 * GIB)
        .memReserved(GIB)
        .memFree(109 * GIB)
        .tempC(61)
        .powerMw(250_500)
        .powerLimitMw(700_000)
        .energyMj(123_456L)
        .clockSmMhz(1980)
        .clockMemMhz(3201)
        .fanPct(44)
        .throttleReasons(0x4L)
        .eccUncorrected(2L)
        .processes(List.of(new DeviceProcess(77, 20 * GIB, "12.0.1"), new DeviceProcess(78, GIB)))
        .health(DeviceHealth.OK);
  }

  static DeviceInfo device(String uuid, int index) {
    return new DeviceInfo(
        new DeviceId(uuid),
        index,
        DeviceVendor.NVIDIA,
        "NVIDIA H200",
        "00000000:3B:00.0",
        140 * GIB,
        "570.1");
  }

  /** Adds a node whose driver says this of its GPUs. */
  SimulatedClusterMetrics node(
      String name, NodeOffer.Presence presence, List<DeviceInfo> gpus, List<DeviceSample> said) {
    NodeOffer.Amount amount = new NodeOffer.Amount(1, 1);
    offers.add(
        new NodeOffer(
            name,
            name,
            presence,
            Map.of(),
            amount,
            amount,
            gpus.stream()
                .map(
                    gpu ->
                        new DeviceOffer(
                            gpu.id(),
                            gpu.name(),
                            gpu.memoryTotalBytes(),
                            gpu.memoryTotalBytes(),
                            DeviceOffer.Standing.FREE))
                .toList(),
            OptionalLong.empty()));
    gpus.forEach(gpu -> devices.put(gpu.id(), gpu));
    hosts.put(name, name + ".lab");
    HostSample host = new HostSample(1.5, 1, 1, 0.25, 64, 512 * GIB, 400 * GIB, null, details);
    samples.put(name, new NodeSample(name, 1, 1_700_000_000_500L, host, said));
    return this;
  }

  /** Has the nodes that are added from now on tell these. */
  SimulatedClusterMetrics tells(HostDetails told) {
    details = told;
    return this;
  }

  SimulatedClusterMetrics lent(DeviceInfo device, String attempt) {
    holders.put(device.id(), List.of(AttemptId.parse(attempt)));
    return this;
  }

  SimulatedClusterMetrics job(long number, String user, String name) {
    running.add(new ClusterMetrics.RunningJob(number, user, name));
    return this;
  }

  SimulatedClusterMetrics leftOut(int jobs) {
    left = jobs;
    return this;
  }

  ClusterMetrics cluster() {
    QueueCollector queue = new QueueCollector();
    queue.add("ann", 3, 1, "no-room-on-gpus");
    return new ClusterMetrics(
        new ClusterActivity(
            new ClusterNodesSnapshot(
                offers, Map.of(), holders, Map.of(), samples, Map.of(), Map.of(), Map.of(),
                Map.of()),
            Map.of(),
            queue.counts()),
        devices,
        hosts,
        offers.size(),
        Map.of(TaskState.WAITING, 3, TaskState.RUNNING, 1),
        Map.of(TaskState.WAITING, 1),
        77.5,
        running,
        left,
        new CoordinatorMeters(DurationHistogram.quick()::reading).readings());
  }

  MetricsSources sources(boolean users) {
    return new MetricsSources(
        cluster(),
        List.of(new ClusterMemberStatus("a", "a:1", "up", true)),
        new LeaderNotice("a", "a:2", 3, 1_700_000_000_000L, "0.1.0", null),
        Map.of(new HttpRequestCounts.Answered("jobs", 200), 5L),
        users);
  }
}
