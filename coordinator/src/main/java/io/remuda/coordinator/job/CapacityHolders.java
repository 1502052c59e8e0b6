package io.remuda.coordinator.job;

import io.remuda.coordinator.api.Explanation;
import io.remuda.coordinator.registry.TaskRegistry;
import io.remuda.coordinator.registry.task.PlacedTask;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobSpec;
import io.remuda.worker.job.ResourceRequest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Finds the jobs that hold what a waiting task lacks, node by node. */
final class CapacityHolders {

  /** Jobs that are named for one node. */
  private static final int MOST_OF_NODE = 5;

  /** Nodes whose jobs are named. */
  private static final int MOST_NODES = 5;

  private final TaskRegistry tasks;

  CapacityHolders(TaskRegistry tasks) {
    this.tasks = tasks;
  }

  /** Returns the jobs on the first nodes where only others' tasks are in the way. */
  List<Explanation.Holder> of(List<WaitReason> reasons, long now) {
    Set<String> nodes = new LinkedHashSet<>();
    for (WaitReason reason : reasons) {
      if (reason instanceof WaitReason.OfNode ofNode
          && isHeldByOthers(reason)
          && nodes.size() < MOST_NODES) {
        nodes.add(ofNode.node());
      }
    }
    if (nodes.isEmpty()) {
      return List.of();
    }
    List<PlacedTask> placed = tasks.placed();
    List<Explanation.Holder> holders = new ArrayList<>();
    for (String node : nodes) {
      Map<JobId, List<PlacedTask>> jobs = new TreeMap<>();
      for (PlacedTask task : placed) {
        if (task.place().node().equals(node)) {
          jobs.computeIfAbsent(task.id().job(), job -> new ArrayList<>()).add(task);
        }
      }
      jobs.entrySet().stream()
          .limit(MOST_OF_NODE)
          .forEach(job -> holders.add(holder(node, job.getKey(), job.getValue(), now)));
    }
    return holders;
  }

  /** Returns whether the end of other tasks may give the node what is missing. */
  private static boolean isHeldByOthers(WaitReason reason) {
    if (reason instanceof WaitReason.TooFewFreeGpus gpus) {
      return gpus.total() >= gpus.wanted();
    } else if (reason instanceof WaitReason.TooFewFreeCpus cpus) {
      return cpus.total() >= cpus.wanted();
    } else if (reason instanceof WaitReason.TooLittleMemory memory) {
      return memory.total() >= memory.wanted();
    } else if (reason instanceof WaitReason.TooLittleGpuMemory memory) {
      return memory.largest() >= memory.wanted();
    }
    return reason instanceof WaitReason.TooManyOnGpus
        || reason instanceof WaitReason.GpusTooBusy
        || reason instanceof WaitReason.NoRoomOnGpus
        || reason instanceof WaitReason.SlowTogether
        || reason instanceof WaitReason.TooManyTasks;
  }

  private Explanation.Holder holder(String node, JobId id, List<PlacedTask> own, long now) {
    JobSpec job = tasks.job(id).orElseThrow();
    long cpus = 0;
    long memory = 0;
    int gpus = 0;
    Long left = 0L;
    Set<Long> slots = new HashSet<>();
    for (PlacedTask task : own) {
      if (slots.add(task.place().slot())) { // later tasks of a slot use its resources afterwards
        ResourceRequest needs = job.request(task.id().index());
        cpus += needs.milliCpus();
        memory += needs.memory();
        gpus += task.place().devices().size();
      }
      Long its = left(job, task, now);
      left = left == null || its == null ? null : Long.valueOf(Math.max(left, its));
    }
    return new Explanation.Holder(
        node, id, job.name(), job.user(), slots.size(), cpus, memory, gpus, left);
  }

  /** Returns the milliseconds until the time limit of an attempt, or null without one. */
  private static Long left(JobSpec job, PlacedTask task, long now) {
    long limit = job.terms().timeLimitMillis();
    if (limit == 0) {
      return null;
    }
    long since = task.progress().runningSince();
    return Math.max(0, limit - (since == 0 ? 0 : (now - since) / 1_000_000));
  }
}
