package io.remuda.coordinator.simulate;

import io.remuda.coordinator.schedule.AppliedPlacement;
import io.remuda.coordinator.schedule.Plan;
import io.remuda.coordinator.schedule.PlanMemory;
import io.remuda.coordinator.schedule.Snapshot;
import io.remuda.coordinator.schedule.model.NodeOffer;
import io.remuda.coordinator.schedule.model.TaskClass;
import io.remuda.coordinator.schedule.model.TaskSet;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.PlacementPolicy;
import io.remuda.worker.job.TaskId;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import java.util.function.UnaryOperator;

/**
 * Places tasks one after the other, each as it arrives, with the scheduler of the job service.
 * Nothing ends or moves, and a task that does not fit when it arrives is not tried again.
 */
public final class PlacementSimulation {

  /**
   * What became of a task.
   *
   * @param node where it was placed, empty if nowhere
   * @param gpus indexes of its GPUs, joined by hyphens
   * @param gpuThousandths what it asked for
   * @param nanos how long the decision took
   */
  public record Placed(String task, String node, String gpus, long gpuThousandths, long nanos) {}

  private final List<NodeOffer> nodes;
  private final List<SimulatedTasks.Task> tasks;

  private PlacementSimulation(List<NodeOffer> nodes, List<SimulatedTasks.Task> tasks) {
    this.nodes = nodes;
    this.tasks = tasks;
  }

  /**
   * Reads the nodes and the tasks.
   *
   * @param finder returns where a file is that the user has named so
   */
  public static PlacementSimulation read(Path nodes, Path workload, UnaryOperator<Path> finder)
      throws IOException, BadTableException {
    return new PlacementSimulation(
        SimulatedNodes.read(nodes, finder), SimulatedTasks.read(workload, finder));
  }

  /** Returns the number of tasks. */
  public int size() {
    return tasks.size();
  }

  /** Returns the number of GPUs of all nodes. */
  public int gpus() {
    return nodes.stream().mapToInt(node -> node.devices().size()).sum();
  }

  /**
   * Places all tasks.
   *
   * @param policy of all tasks
   * @param progress gets the number of tasks done, after each
   * @throws BadTableException if there are more tasks than the scheduler places at once
   */
  public List<Placed> run(PlacementPolicy policy, LongConsumer progress) throws BadTableException {
    NodeOffer[] offers = nodes.toArray(NodeOffer[]::new);
    Map<String, Integer> positions = new HashMap<>();
    for (int i = 0; i < offers.length; i++) {
      positions.put(offers[i].node(), i);
    }
    PlanMemory memory = new PlanMemory();
    String last = null;
    List<Placed> placed = new ArrayList<>(tasks.size());
    for (SimulatedTasks.Task task : tasks) {
      long start = System.nanoTime();
      TaskId id = new TaskId(new JobId(placed.size() + 1), 0);
      TaskClass line = line(id, task, policy);
      Snapshot snapshot =
          new Snapshot(
              Arrays.asList(offers),
              inTurn(id.job(), last),
              Map.of(),
              Map.of(),
              Map.of(),
              Map.of(),
              0);
      Plan plan = memory.plan(snapshot, List.of(line));
      if (plan.placements().isEmpty()) {
        check(plan, line);
        long nanos = System.nanoTime() - start;
        placed.add(new Placed(task.name(), "", "", task.gpuThousandths(), nanos));
      } else {
        Plan.Placement placement = plan.placements().get(0);
        last = placement.node();
        offers[positions.get(placement.node())] =
            AppliedPlacement.to(
                offers[positions.get(placement.node())], task.needs(), placement.devices());
        long nanos = System.nanoTime() - start;
        placed.add(
            new Placed(
                task.name(),
                placement.node(),
                indexes(placement.devices()),
                task.gpuThousandths(),
                nanos));
      }
      progress.accept(placed.size());
    }
    return placed;
  }

  private static TaskClass line(TaskId id, SimulatedTasks.Task task, PlacementPolicy policy) {
    TaskClass.SchedulingKey key =
        new TaskClass.SchedulingKey(0, "user", task.needs(), policy, 0, null, null, false, null);
    return new TaskClass(key, TaskSet.of(List.of(id)), 1, TaskClass.Overtaking.ALLOWED);
  }

  /** Returns where a job goes on in turn: all tasks count as those of one job. */
  private static Map<JobId, String> inTurn(JobId job, String last) {
    return last == null ? Map.of() : Map.of(job, last);
  }

  private static void check(Plan plan, TaskClass line) throws BadTableException {
    for (WaitReason reason : plan.waiting().getOrDefault(line.key(), List.of())) {
      if (reason instanceof WaitReason.TooManyPlaced many) {
        throw new BadTableException(
            "the scheduler places at most " + many.most() + " tasks at once; give fewer");
      }
    }
  }

  private static String indexes(List<DeviceId> devices) {
    return String.join("-", devices.stream().map(SimulatedNodes::index).sorted().toList());
  }
}
