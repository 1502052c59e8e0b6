package io.remuda.coordinator.node;

import io.remuda.coordinator.api.GpuText;
import io.remuda.coordinator.registry.NodeRegistry;
import io.remuda.coordinator.registry.TaskRegistry;
import io.remuda.coordinator.status.RunNodesStatus;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.AttemptId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The current status of the nodes and devices for display: the newest sample of each node, and the
 * tasks that each device is lent to. Used only by the coordinator's actor.
 */
public final class StatusPicture {

  private final String run;
  private final NodeRegistry nodes;
  private final TaskRegistry tasks;

  public StatusPicture(String run, NodeRegistry nodes, TaskRegistry tasks) {
    this.run = run;
    this.nodes = nodes;
    this.tasks = tasks;
  }

  /**
   * Returns the status.
   *
   * @param now in nanoseconds of the monotonic clock
   */
  public RunNodesStatus now(long now) {
    Map<String, String> lent = new HashMap<>();
    tasks.holders().forEach((device, attempts) -> lent.put(device.uuid(), taskNames(attempts)));
    Map<DeviceId, String> drained = new HashMap<>();
    nodes.all().forEach(node -> drained.putAll(node.drainedDevices()));
    Map<DeviceId, String> notes = new HashMap<>();
    tasks.offers(nodes.all(), now).stream()
        .flatMap(node -> node.devices().stream())
        .filter(device -> GpuText.note(device) != null)
        .forEach(device -> notes.put(device.id(), GpuText.note(device)));
    return new RunNodesStatus(
        run,
        nodes.all().stream()
            .map(
                node ->
                    RunNodesStatus.node(
                        node.name(),
                        node.reachable(),
                        node.devices(),
                        nodes.samples().get(node.name()),
                        lent,
                        drained,
                        notes))
            .toList());
  }

  private static String taskNames(List<AttemptId> attempts) {
    return attempts.stream()
        .map(attempt -> attempt.task().toString())
        .collect(Collectors.joining(" "));
  }
}
