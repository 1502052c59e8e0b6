package io.remuda.coordinator.schedule;

import io.remuda.coordinator.schedule.model.TaskClass;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.TaskId;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The result of a scheduling cycle.
 *
 * @param placements in the order of their decision
 * @param waiting by task class, why its remaining tasks wait; in the order of their turns
 * @param lastNode by round-robin job, the node of its last placed task
 * @param next the first class that had to wait for capacity, or null
 */
public record Plan(
    List<Placement> placements,
    Map<TaskClass.SchedulingKey, List<WaitReason>> waiting,
    Map<JobId, String> lastNode,
    TaskClass.SchedulingKey next) {

  /**
   * A task, its node and the devices lent to it.
   *
   * @param guessed bytes of each device that are promised to the first task of its type, which
   *     shares devices though its needs are not measured; 0 for others
   */
  public record Placement(TaskId task, String node, List<DeviceId> devices, long guessed) {
    public Placement {
      devices = List.copyOf(devices);
    }

    /** Creates a placement of a task that gets what it asks for. */
    public Placement(TaskId task, String node, List<DeviceId> devices) {
      this(task, node, devices, 0);
    }
  }

  public Plan {
    placements = List.copyOf(placements);
    waiting = Collections.unmodifiableMap(new LinkedHashMap<>(waiting));
    lastNode = Map.copyOf(lastNode);
  }
}
