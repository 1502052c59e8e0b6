package io.remuda.coordinator.job;

import io.remuda.coordinator.api.Explanation;
import io.remuda.coordinator.registry.TaskRegistry;
import io.remuda.coordinator.registry.task.PlacedTask;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobSpec;
import io.remuda.worker.job.ResourceRequest;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Finds the jobs that hold what a waiting task lacks, node by node. */
final class BlockingJobFinder {

  /** Jobs that are named for one node. */
  private static final int MOST_OF_NODE = 5;

  /** Nodes whose jobs are named. */
  private static final int MOST_NODES = 5;

  /** What a node has too little of. */
  private enum Kind {
    GPU,
    CPU,
    MEMORY,
    TASK;

    private boolean isHeldBy(Explanation.Holder job) {
      return switch (this) {
        case GPU -> job.gpus() > 0;
        case CPU -> job.milliCpus() > 0;
        case MEMORY -> job.memory() > 0;
        case TASK -> true;
      };
    }
  }

  private final TaskRegistry tasks;

  BlockingJobFinder(TaskRegistry tasks) {
    this.tasks = tasks;
  }

  /** Returns the jobs on the first nodes where only others' tasks are in the way. */
  List<Explanation.Holder> of(List<WaitReason> reasons, long now) {
    Map<String, Set<Kind>> nodes = new LinkedHashMap<>();
    for (WaitReason reason : reasons) {
      Set<Kind> kinds = heldByOthers(reason);
      if (reason instanceof WaitReason.OfNode ofNode
          && !kinds.isEmpty()
          && (nodes.size() < MOST_NODES || nodes.containsKey(ofNode.node()))) {
        nodes.computeIfAbsent(ofNode.node(), node -> new HashSet<>()).addAll(kinds);
      }
    }
    if (nodes.isEmpty()) {
      return List.of();
    }
    List<PlacedTask> placed = tasks.placed();
    List<Explanation.Holder> holders = new ArrayList<>();
    nodes.forEach(
        (node, kinds) -> {
          Map<JobId, List<PlacedTask>> jobs = new TreeMap<>();
          for (PlacedTask task : placed) {
            if (task.place().node().equals(node)) {
              jobs.computeIfAbsent(task.id().job(), job -> new ArrayList<>()).add(task);
            }
          }
          jobs.entrySet().stream()
              .map(job -> holder(node, job.getKey(), job.getValue(), now))
              .filter(holder -> kinds.stream().anyMatch(kind -> kind.isHeldBy(holder)))
              .limit(MOST_OF_NODE)
              .forEach(holders::add);
        });
    return holders;
  }

  /**
   * Returns what the end of other tasks may give the node of what is missing; empty for nothing.
   */
  private static Set<Kind> heldByOthers(WaitReason reason) {
    if (reason instanceof WaitReason.TooFewFreeGpus gpus) {
      return only(Kind.GPU, gpus.total() >= gpus.wanted());
    } else if (reason instanceof WaitReason.TooFewFreeCpus cpus) {
      return only(Kind.CPU, cpus.total() >= cpus.wanted());
    } else if (reason instanceof WaitReason.TooLittleMemory memory) {
      return only(Kind.MEMORY, memory.total() >= memory.wanted());
    } else if (reason instanceof WaitReason.TooLittleGpuMemory memory) {
      return only(Kind.GPU, memory.largest() >= memory.wanted());
    } else if (reason instanceof WaitReason.TooManyTasks) {
      return EnumSet.of(Kind.TASK);
    }
    return only(
        Kind.GPU,
        reason instanceof WaitReason.TooManyOnGpus
            || reason instanceof WaitReason.GpusTooBusy
            || reason instanceof WaitReason.NoRoomOnGpus
            || reason instanceof WaitReason.SlowTogether);
  }

  private static Set<Kind> only(Kind kind, boolean held) {
    return held ? EnumSet.of(kind) : EnumSet.noneOf(Kind.class);
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
