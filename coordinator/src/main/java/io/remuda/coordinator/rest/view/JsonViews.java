package io.remuda.coordinator.rest.view;

import io.remuda.agent.protocol.TaskEnd;
import io.remuda.agent.protocol.TaskReport;
import io.remuda.coordinator.api.ClusterView;
import io.remuda.coordinator.api.Explanation;
import io.remuda.coordinator.api.WaitText;
import io.remuda.coordinator.schedule.model.NodeOffer;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.coordinator.store.row.EpochCount;
import io.remuda.coordinator.store.row.JobRow;
import io.remuda.coordinator.store.row.TaskRow;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.CommandWorkload;
import io.remuda.worker.job.LeasedProgramWorkload;
import io.remuda.worker.job.Workload;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Converts results to the content of responses: maps in the order of the written fields. */
public final class JsonViews {

  private JsonViews() {}

  private static String time(long millis) {
    return millis == 0 ? null : Instant.ofEpochMilli(millis).toString();
  }

  /** Returns a job without its UUID, by which a training speaks to its node. */
  public static Map<String, Object> job(JobRow row) {
    return job(row, false);
  }

  /** Returns a job; its UUID is null for others than its owner. */
  public static Map<String, Object> job(JobRow row, boolean own) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("id", row.id().value());
    view.put("uuid", own ? row.uuid().toString() : null);
    view.put("name", row.name());
    view.put("user", row.user());
    view.put("state", row.state().label());
    view.put("reason", row.reason());
    view.put("exitCode", row.exitCode());
    view.put("submittedAt", time(row.submitted()));
    view.put("startedAt", time(row.started()));
    view.put("endedAt", time(row.ended()));
    view.put("tasks", row.tasks());
    if (row.epochs() != null) {
      epochs(row.epochs(), view);
    }
    return view;
  }

  private static void epochs(EpochCount count, Map<String, Object> view) {
    view.put("epochs", count.total());
    view.put("epochsDone", count.done());
    view.put("epochMillis", count.millis() == 0 ? null : count.millis());
    view.put("epochMeasured", count.measured());
    view.put("expectedEndAt", time(count.endsAt()));
  }

  /** Returns a workload; of other users without the environment, which may contain secrets. */
  public static Workload workload(Workload workload, boolean own) {
    if (own) {
      return workload;
    }
    if (workload instanceof LeasedProgramWorkload lease) {
      return new LeasedProgramWorkload(lease.pid(), lease.startTicks(), "");
    }
    return workload instanceof CommandWorkload command
        ? new CommandWorkload(command.argv(), Map.of(), command.folder(), command.umask())
        : workload;
  }

  public static Map<String, Object> task(TaskRow row) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("id", row.id().toString());
    view.put("index", row.id().index());
    view.put("state", row.state().label());
    view.put("attempt", row.attempt());
    view.put("node", row.node());
    view.put("devices", row.devices().stream().map(DeviceId::uuid).toList());
    view.put("startedAt", time(row.started()));
    view.put("endedAt", time(row.ended()));
    view.put("cause", row.cause());
    TaskEnd end = row.end();
    view.put("exitCode", end == null ? null : end.exitCode());
    view.put("signal", end == null ? null : end.signal());
    view.put("peakRssBytes", end == null ? null : end.peakRssBytes());
    view.put("cpuMillis", end == null ? null : end.cpuMillis());
    view.put("wallMillis", end == null ? null : end.wallMillis());
    view.put("preemptions", row.preemptions());
    view.put("lostMillis", row.lostMillis());
    return view;
  }

  public static Map<String, Object> explanation(Explanation explanation) {
    Map<String, Object> counts = new LinkedHashMap<>();
    explanation.counts().forEach((state, count) -> counts.put(state.label(), count));
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("id", explanation.job().value());
    view.put("state", explanation.state().label());
    view.put("counts", counts);
    view.put("needs", explanation.needs());
    view.put(
        "reasons",
        explanation.reasons().stream()
            .map(reason -> JsonResponses.named(reason, WaitReason.class))
            .toList());
    List<Map<String, Object>> unended = new ArrayList<>();
    List<String> text = new ArrayList<>(WaitText.lines(explanation.reasons()));
    explanation
        .unended()
        .forEach(
            (task, why) -> {
              unended.add(Map.of("task", task.toString(), "cause", why));
              text.add("task " + task + ": " + why);
            });
    view.put("unended", unended);
    view.put("text", text);
    return view;
  }

  public static List<Map<String, Object>> nodes(ClusterView cluster) {
    return cluster.nodes().stream().map(node -> node(node, cluster)).toList();
  }

  private static Map<String, Object> node(NodeOffer node, ClusterView cluster) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("name", node.node());
    view.put("state", node.presence().name().toLowerCase(java.util.Locale.ROOT));
    view.put("note", node.pause() == null ? null : WaitText.pause(node.pause()));
    view.put("labels", node.labels());
    view.put("cpus", node.cpus().total() / 1000.0);
    view.put("freeCpus", node.cpus().free() / 1000.0);
    view.put("memoryBytes", node.memory().total());
    view.put("freeMemoryBytes", node.memory().free());
    view.put("tasks", cluster.running().getOrDefault(node.node(), 0));
    view.put(
        "devices",
        node.devices().stream()
            .map(
                device -> {
                  Map<String, Object> one = new LinkedHashMap<>();
                  one.put("uuid", device.id().uuid());
                  one.put("model", device.model());
                  one.put("memoryBytes", device.totalMemory());
                  one.put("freeMemoryBytes", device.freeMemory());
                  one.put("state", device.standing().name().toLowerCase(java.util.Locale.ROOT));
                  one.put(
                      "attempts",
                      cluster.holders().getOrDefault(device.id(), List.of()).stream()
                          .map(AttemptId::numbers)
                          .toList());
                  return one;
                })
            .toList());
    view.put("foreign", cluster.foreign(node.node()).stream().map(JsonViews::foreign).toList());
    return view;
  }

  /** Returns a task of another state file. */
  private static Map<String, Object> foreign(TaskReport task) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("id", task.attempt().toString());
    view.put("pid", task.pid());
    view.put("name", task.facts().name());
    view.put("user", task.facts().user());
    view.put("cpus", task.facts().milliCpus() / 1000.0);
    view.put("memoryBytes", task.facts().memory());
    view.put("devices", task.facts().devices());
    return view;
  }
}
