package io.remuda.coordinator.actor;

import io.remuda.coordinator.registry.NodeRegistry;
import io.remuda.coordinator.registry.TaskRegistry;
import io.remuda.coordinator.status.RunStatus;
import io.remuda.telemetry.model.NodeSample;
import io.remuda.worker.job.AttemptId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * How the nodes and their devices are right now, for who looks on from outside: each with its
 * newest sample and the tasks that it is lent to. Used by the coordinator's actor alone.
 */
final class StatusPicture {

  private final String run;
  private final NodeRegistry nodes;
  private final TaskRegistry tasks;
  private final Map<String, NodeSample> newest = new HashMap<>();

  StatusPicture(String run, NodeRegistry nodes, TaskRegistry tasks) {
    this.run = run;
    this.nodes = nodes;
    this.tasks = tasks;
  }

  void sampled(List<NodeSample> samples) {
    samples.forEach(sample -> newest.put(sample.node(), sample));
  }

  /** The newest sample of each node that has sent one. */
  Map<String, NodeSample> newest() {
    return newest;
  }

  RunStatus now() {
    Map<String, String> lent = new HashMap<>();
    tasks.holders().forEach((device, attempts) -> lent.put(device.uuid(), taskNames(attempts)));
    return new RunStatus(
        run,
        nodes.all().stream()
            .map(
                node ->
                    RunStatus.node(
                        node.name(),
                        node.reachable(),
                        node.devices(),
                        newest.get(node.name()),
                        lent))
            .toList());
  }

  private static String taskNames(List<AttemptId> attempts) {
    return attempts.stream()
        .map(attempt -> attempt.task().toString())
        .collect(Collectors.joining(" "));
  }
}
