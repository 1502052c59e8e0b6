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
 * @param passes placed tasks that were let past a job only because of what their type took
 */
public record Plan(
    List<Placement> placements,
    Map<TaskClass.SchedulingKey, List<WaitReason>> waiting,
    Map<JobId, String> lastNode,
    TaskClass.SchedulingKey next,
    Map<TaskId, Pass> passes) {

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

  /**
   * On which condition a task was let past a job for which capacity is reserved.
   *
   * @param before the job
   * @param millis after which the task has ended, if it is right
   */
  public record Pass(JobId before, long millis) {}

  /** Creates a plan in which no task passes another. */
  public Plan(
      List<Placement> placements,
      Map<TaskClass.SchedulingKey, List<WaitReason>> waiting,
      Map<JobId, String> lastNode,
      TaskClass.SchedulingKey next) {
    this(placements, waiting, lastNode, next, Map.of());
  }

  public Plan {
    passes = Map.copyOf(passes);
    placements = List.copyOf(placements);
    waiting = Collections.unmodifiableMap(new LinkedHashMap<>(waiting));
    lastNode = Map.copyOf(lastNode);
  }
}
