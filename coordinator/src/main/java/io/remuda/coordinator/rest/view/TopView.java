package io.remuda.coordinator.rest.view;

import io.remuda.coordinator.api.ClusterView;
import io.remuda.coordinator.api.WaitText;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.schedule.model.DeviceOffer;
import io.remuda.coordinator.schedule.model.DeviceOffer.Standing;
import io.remuda.coordinator.schedule.model.NodeOffer;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.coordinator.store.row.JobRow;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.telemetry.model.DeviceSample;
import io.remuda.telemetry.model.NodeSample;
import io.remuda.worker.job.JobId;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** The content of {@code remuda top}, as maps in the order of the written fields. */
public final class TopView {

  private static final int REASONS_IN_WORDS = 3;

  /**
   * The live jobs.
   *
   * @param counts number of jobs by state
   * @param shown some of the jobs, in display order
   * @param waiting why jobs wait; only for jobs that were queried
   */
  public record Jobs(
      Map<TaskState, Integer> counts, List<JobRow> shown, Map<JobId, List<WaitReason>> waiting) {}

  private TopView() {}

  public static Map<String, Object> of(ClusterView cluster, Jobs jobs, Instant now) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("time", now.toString());
    view.put("nodes", cluster.nodes().stream().map(node -> node(node, cluster)).toList());
    view.put("gpus", cluster.nodes().stream().flatMap(node -> gpus(node, cluster)).toList());
    Map<String, Object> counts = new LinkedHashMap<>();
    jobs.counts().forEach((state, count) -> counts.put(state.label(), count));
    view.put("counts", counts);
    view.put("jobs", jobs.shown().stream().map(job -> job(job, jobs)).toList());
    return view;
  }

  private static Map<String, Object> node(NodeOffer node, ClusterView cluster) {
    NodeSample sample = cluster.samples().get(node.node());
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("name", node.node());
    view.put("state", label(node.presence()));
    view.put("note", node.pause() == null ? null : WaitText.pause(node.pause()));
    view.put("cpus", node.cpus().total() / 1000.0);
    view.put("freeCpus", node.cpus().free() / 1000.0);
    view.put("memoryBytes", node.memory().total());
    view.put("freeMemoryBytes", node.memory().free());
    view.put("tasks", cluster.running().getOrDefault(node.node(), 0));
    view.put("load1", sample == null ? null : sample.host().load1());
    view.put(
        "sampledAt",
        sample == null ? null : Instant.ofEpochMilli(sample.atEpochMillis()).toString());
    return view;
  }

  private static String label(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  private static Stream<Map<String, Object>> gpus(NodeOffer node, ClusterView cluster) {
    Map<DeviceId, DeviceSample> readings = new HashMap<>();
    NodeSample sample = cluster.samples().get(node.node());
    if (sample != null) {
      sample.devices().forEach(reading -> readings.put(reading.id(), reading));
    }
    return node.devices().stream()
        .map(device -> gpu(node.node(), device, readings.get(device.id()), cluster));
  }

  private static Map<String, Object> gpu(
      String node, DeviceOffer device, DeviceSample reading, ClusterView cluster) {
    MemorySplit memory =
        MemorySplit.of(
            device.totalMemory(),
            cluster.holders().getOrDefault(device.id(), List.of()),
            cluster.promised(),
            reading);
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("node", node);
    view.put("number", reading == null ? null : reading.number());
    view.put("uuid", device.id().uuid());
    view.put("model", device.model());
    view.put("state", label(device.standing()));
    view.put("health", reading == null ? null : label(reading.health()));
    view.put("memoryBytes", memory.total());
    view.put("usedBytes", memory.used());
    view.put("freeBytes", device.standing() == Standing.TAKEN ? 0 : device.freeMemory());
    view.put("holders", memory.parts().stream().map(TopView::holder).toList());
    view.put("otherBytes", memory.others());
    view.put("utilization", reading == null ? null : reading.utilGpu());
    view.put("temperatureCelsius", reading == null ? null : reading.tempC());
    view.put("powerWatts", reading == null ? null : watts(reading.powerMw()));
    view.put("powerLimitWatts", reading == null ? null : watts(reading.powerLimitMw()));
    return view;
  }

  private static Double watts(Integer milliwatts) {
    return milliwatts == null ? null : milliwatts / 1000.0;
  }

  private static Map<String, Object> holder(MemorySplit.TenantMemory part) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("job", part.attempt().task().job().value());
    view.put("attempt", part.attempt().numbers());
    view.put("whole", part.whole());
    view.put("reservedBytes", part.reserved());
    view.put("usedBytes", part.used());
    return view;
  }

  private static Map<String, Object> job(JobRow row, Jobs jobs) {
    Map<String, Object> view = JsonViews.job(row);
    List<WaitReason> reasons = jobs.waiting().getOrDefault(row.id(), List.of());
    if (!reasons.isEmpty()) {
      view.put("reason", inWords(reasons));
    }
    return view;
  }

  /** Returns the first reasons in one line; {@code remuda explain} shows all. */
  private static String inWords(List<WaitReason> reasons) {
    List<WaitReason> first = reasons.subList(0, Math.min(REASONS_IN_WORDS, reasons.size()));
    int more = reasons.size() - first.size();
    return String.join("; ", WaitText.lines(first)) + (more == 0 ? "" : "; and " + more + " more");
  }
}
