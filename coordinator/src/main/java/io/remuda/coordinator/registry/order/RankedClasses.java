package io.remuda.coordinator.registry.order;

import io.remuda.coordinator.registry.task.PendingTask;
import io.remuda.coordinator.registry.task.TaskRecord;
import io.remuda.coordinator.schedule.model.TaskClass;
import io.remuda.coordinator.schedule.model.TaskSet;
import io.remuda.coordinator.schedule.order.AgedUrgency;
import io.remuda.coordinator.schedule.order.OrderPolicy;
import io.remuda.worker.job.JobSpec;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.TaskId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Splits classes of waiting tasks by how urgent their jobs are. Jobs that differ by less than a
 * twentieth are equal. Single-threaded.
 */
public final class RankedClasses {

  /** Jobs of a class that are ranked in a cycle; those behind them are the least urgent. */
  static final int MOST_JOBS = 2000;

  private static final double STEP = 1.05;

  private final OrderPolicy policy;
  private final JobStandings standings;
  private final Function<TaskId, TaskRecord> tasks;
  private final Function<TaskRecord, JobSpec> specs;

  /**
   * @param tasks returns a live task
   * @param specs returns the specification of its job
   */
  public RankedClasses(
      OrderPolicy policy,
      JobStandings standings,
      Function<TaskId, TaskRecord> tasks,
      Function<TaskRecord, JobSpec> specs) {
    this.policy = policy;
    this.standings = standings;
    this.tasks = tasks;
    this.specs = specs;
  }

  /** Returns the parts of the classes; the classes themselves if the policy has no opinion. */
  public List<TaskClass> of(Collection<TaskClass> classes, long now) {
    if (!policy.exchanges()) {
      return List.copyOf(classes);
    }
    List<TaskClass> parts = new ArrayList<>();
    classes.forEach(one -> split(one, now, parts));
    return parts;
  }

  private void split(TaskClass line, long now, List<TaskClass> parts) {
    Map<Integer, TaskSet> byLevel = new TreeMap<>();
    Map<Integer, Double> urgencies = new HashMap<>();
    int ranked = 0;
    for (TaskId first = line.tasks().first(); first != null; ) {
      double urgency = ranked++ < MOST_JOBS ? urgency(line, first, now) : 0;
      int level =
          urgency == 0 ? Integer.MIN_VALUE : (int) Math.floor(Math.log(urgency) / Math.log(STEP));
      urgencies.putIfAbsent(level, urgency);
      TaskSet part = byLevel.computeIfAbsent(level, any -> new TaskSet());
      TaskId next = ranked > MOST_JOBS ? null : line.tasks().firstAfter(first.job());
      for (TaskId task = first; task != null && !task.equals(next); ) {
        part.add(task);
        task = line.tasks().higher(task);
      }
      first = next;
    }
    byLevel.forEach(
        (level, part) ->
            parts.add(
                new TaskClass(
                    line.key(), part, line.charge(), line.overtaking(), urgencies.get(level))));
  }

  private double urgency(TaskClass line, TaskId first, long now) {
    TaskRecord task = tasks.apply(first);
    int gpus = gpus(line);
    double value =
        policy.value(
            standings.of(task, specs.apply(task), line.key(), gpus, now), standings.learned());
    long waited = task instanceof PendingTask pending ? (now - pending.notBefore()) / 1_000_000 : 0;
    return AgedUrgency.aged(value, waited) / gpus;
  }

  /** Returns the GPUs of a task, or of all tasks of a gang; at least 1. */
  static int gpus(TaskClass line) {
    int gpus =
        line.key().gang() == null
            ? line.key().needs().gpus()
            : line.tasks().stream().map(line.key()::needs).mapToInt(ResourceRequest::gpus).sum();
    return Math.max(1, gpus);
  }
}
