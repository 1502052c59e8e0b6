package io.remuda.coordinator.simulate;

import io.remuda.coordinator.schedule.model.Gang;
import io.remuda.coordinator.schedule.model.TaskClass;
import io.remuda.coordinator.schedule.model.TaskSet;
import io.remuda.worker.job.GangRoleSpec;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.PlacementPolicy;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.TaskId;
import java.util.ArrayList;
import java.util.List;

/**
 * A job of a trace. One that no node is large enough for is a gang with a task on each of as few
 * nodes as possible.
 *
 * @param name as in the trace
 * @param arrivalMillis since the start of the trace
 * @param durationMillis how long it runs if it is never interrupted
 * @param gpus in all
 * @param key of its tasks
 * @param tasks number of them
 */
record SimulatedJob(
    String name,
    JobId id,
    long arrivalMillis,
    long durationMillis,
    int gpus,
    TaskClass.SchedulingKey key,
    int tasks) {

  /**
   * @param largest number of GPUs of the largest node
   */
  static SimulatedJob of(
      String name, JobId id, long arrival, long duration, int gpus, String user, int largest) {
    int nodes = (gpus + largest - 1) / largest;
    ResourceRequest whole = request(Math.min(gpus, largest));
    Gang gang = nodes == 1 ? null : new Gang(id, true, roles(gpus, largest));
    TaskClass.SchedulingKey key =
        new TaskClass.SchedulingKey(0, user, whole, PlacementPolicy.USUAL, 0, gang);
    return new SimulatedJob(name, id, arrival, duration, gpus, key, nodes);
  }

  private static List<GangRoleSpec> roles(int gpus, int largest) {
    List<GangRoleSpec> roles = new ArrayList<>();
    roles.add(role("full", request(largest), gpus / largest));
    if (gpus % largest > 0) {
      roles.add(role("rest", request(gpus % largest), 1));
    }
    return roles;
  }

  private static GangRoleSpec role(String name, ResourceRequest request, int count) {
    return new GangRoleSpec(name, count, 1, 0, request);
  }

  private static ResourceRequest request(int gpus) {
    return new ResourceRequest(gpus, gpus);
  }

  TaskSet allTasks() {
    TaskSet all = new TaskSet();
    all.add(id, 0, tasks);
    return all;
  }

  ResourceRequest needs(int task) {
    return key.needs(new TaskId(id, task));
  }
}
