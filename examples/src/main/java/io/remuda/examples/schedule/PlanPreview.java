package io.remuda.examples.schedule;

import io.remuda.coordinator.schedule.Plan;
import io.remuda.coordinator.schedule.Scheduler;
import io.remuda.coordinator.schedule.Snapshot;
import io.remuda.coordinator.schedule.model.NodeOffer;
import io.remuda.coordinator.schedule.model.TaskClass;
import io.remuda.coordinator.schedule.model.TaskSet;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.PlacementPolicy;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.TaskId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Asks the scheduler what it would do, without a cluster: which tasks start where, and why the
 * others wait.
 *
 * <p>The scheduler is a function: a snapshot of the nodes and the waiting tasks go in, a plan comes
 * out, and nothing is changed or started. Waiting tasks that are alike are one {@link TaskClass},
 * because if one of them does not fit, none does.
 *
 * <p>{@link #main} plans an array of three tasks with two GPUs each, and a task with one GPU, on
 * two nodes with three GPUs each.
 */
public final class PlanPreview {

  private PlanPreview() {}

  /** Returns a line for each task that starts and for each reason why tasks wait. */
  static List<String> lines(List<NodeOffer> nodes, List<TaskClass> waiting) {
    Snapshot snapshot =
        new Snapshot(nodes, Map.of(), Map.of(), Map.of(), Map.of(), Map.of(), System.nanoTime());
    Plan plan = Scheduler.plan(snapshot, waiting);
    List<String> lines = new ArrayList<>();
    for (Plan.Placement start : plan.placements()) {
      lines.add("task " + start.task() + " starts on " + start.node() + " with " + start.devices());
    }
    for (TaskClass tasks : waiting) {
      plan.waiting()
          .getOrDefault(tasks.key(), List.of())
          .forEach(reason -> lines.add(tasks.key().user() + "'s tasks wait: " + reason));
    }
    return lines;
  }

  /**
   * Returns waiting tasks with equal needs, of an array job.
   *
   * @param job number of the job; jobs with smaller numbers were submitted earlier
   */
  static TaskClass array(int job, String user, int tasks, ResourceRequest needs) {
    List<TaskId> ids =
        IntStream.range(0, tasks).mapToObj(index -> new TaskId(new JobId(job), index)).toList();
    TaskClass.SchedulingKey key =
        new TaskClass.SchedulingKey(0, user, needs, PlacementPolicy.PACK, 0, null);
    return new TaskClass(key, TaskSet.of(ids), 1, TaskClass.Overtaking.ALLOWED);
  }

  /** Prints the plan for the example's tasks and nodes. */
  public static void main(String[] arguments) {
    List<NodeOffer> nodes =
        List.of(SampleNodes.node("lab1", 256, 3, 80), SampleNodes.node("lab2", 256, 3, 80));
    List<TaskClass> waiting =
        List.of(
            array(1, "ann", 3, new ResourceRequest(1, 2)),
            array(2, "bob", 1, new ResourceRequest(1, 1)));
    lines(nodes, waiting).forEach(System.out::println);
  }
}
