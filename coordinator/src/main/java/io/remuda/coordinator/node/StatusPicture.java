package io.remuda.coordinator.node;

import io.remuda.coordinator.registry.NodeRegistry;
import io.remuda.coordinator.registry.TaskRegistry;
import io.remuda.coordinator.status.RunNodesStatus;
import io.remuda.telemetry.model.DeviceHealth;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.telemetry.model.DeviceProcess;
import io.remuda.telemetry.model.DeviceSample;
import io.remuda.telemetry.model.NodeSample;
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
  private final Map<String, NodeSample> newest = new HashMap<>();

  public StatusPicture(String run, NodeRegistry nodes, TaskRegistry tasks) {
    this.run = run;
    this.nodes = nodes;
    this.tasks = tasks;
  }

  public void sampled(List<NodeSample> samples) {
    samples.forEach(
        sample -> newest.merge(sample.node(), sample, StatusPicture::withLastProcesses));
  }

  /** Keeps the last known processes: agents query them less often than the other values. */
  private static NodeSample withLastProcesses(NodeSample before, NodeSample now) {
    if (now.devices().stream().noneMatch(StatusPicture::lacksProcesses)) {
      return now;
    }
    Map<DeviceId, List<DeviceProcess>> known = new HashMap<>();
    before.devices().stream()
        .filter(device -> device.processes() != null)
        .forEach(device -> known.put(device.id(), device.processes()));
    return new NodeSample(
        now.node(),
        now.sequence(),
        now.atEpochMillis(),
        now.host(),
        now.devices().stream()
            .map(
                device ->
                    lacksProcesses(device) ? device.withProcesses(known.get(device.id())) : device)
            .toList());
  }

  /** Returns whether the last known processes apply; not for a device that does not answer. */
  private static boolean lacksProcesses(DeviceSample device) {
    return device.processes() == null
        && (device.health() == DeviceHealth.OK || device.health() == DeviceHealth.DEGRADED);
  }

  /** Returns the newest sample of each node that has sent one, with the last known processes. */
  public Map<String, NodeSample> newest() {
    return newest;
  }

  public RunNodesStatus now() {
    Map<String, String> lent = new HashMap<>();
    tasks.holders().forEach((device, attempts) -> lent.put(device.uuid(), taskNames(attempts)));
    Map<DeviceId, String> drained = new HashMap<>();
    nodes.all().forEach(node -> drained.putAll(node.drainedDevices()));
    return new RunNodesStatus(
        run,
        nodes.all().stream()
            .map(
                node ->
                    RunNodesStatus.node(
                        node.name(),
                        node.reachable(),
                        node.devices(),
                        newest.get(node.name()),
                        lent,
                        drained))
            .toList());
  }

  private static String taskNames(List<AttemptId> attempts) {
    return attempts.stream()
        .map(attempt -> attempt.task().toString())
        .collect(Collectors.joining(" "));
  }
}
