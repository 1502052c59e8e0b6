package io.remuda.coordinator.api;

import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.meter.MeterReadings;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.telemetry.model.DeviceInfo;
import java.util.List;
import java.util.Map;

/**
 * What the metrics of a cluster are made of, at one moment.
 *
 * @param devices those of all nodes
 * @param hosts host names of the machines, by node
 * @param connected number of agents that are connected
 * @param tasks that have not ended, by state
 * @param jobs that have not ended, by state
 * @param oldestWaitSeconds since when a task that could be placed has had no place; null if none
 *     waits
 * @param running jobs with a task that runs or is being ended, up to a bound
 * @param left number of such jobs beyond it
 */
public record ClusterMetrics(
    ClusterActivity activity,
    Map<DeviceId, DeviceInfo> devices,
    Map<String, String> hosts,
    int connected,
    Map<TaskState, Integer> tasks,
    Map<TaskState, Integer> jobs,
    Double oldestWaitSeconds,
    List<RunningJob> running,
    int left,
    MeterReadings meters) {
  public ClusterMetrics {
    devices = Map.copyOf(devices);
    hosts = Map.copyOf(hosts);
    tasks = Map.copyOf(tasks);
    jobs = Map.copyOf(jobs);
    running = List.copyOf(running);
  }

  /** A job with a task that runs or is being ended. */
  public record RunningJob(long job, String user, String name) {}
}
