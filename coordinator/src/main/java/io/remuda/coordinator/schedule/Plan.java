package io.remuda.coordinator.schedule;

import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.TaskId;
import java.util.List;
import java.util.Map;

/**
 * What one scheduling cycle decides.
 *
 * @param placements in the order they were decided
 * @param waiting the reasons of each line of which a task stays
 * @param lastNode of each job, where its round goes on
 * @param next the line whose turn it is when there is room again, or null if none waits
 */
public record Plan(
    List<Placement> placements,
    Map<TaskClass.SchedulingKey, List<WaitReason>> waiting,
    Map<JobId, String> lastNode,
    TaskClass.SchedulingKey next) {

  /** A task, its node and the devices lent to it. */
  public record Placement(TaskId task, String node, List<DeviceId> devices) {
    public Placement {
      devices = List.copyOf(devices);
    }
  }

  public Plan {
    placements = List.copyOf(placements);
    waiting = Map.copyOf(waiting);
    lastNode = Map.copyOf(lastNode);
  }
}
