package io.remuda.coordinator.registry.order;

import io.remuda.coordinator.registry.task.PendingTask;
import io.remuda.coordinator.registry.task.TaskRecord;
import io.remuda.coordinator.schedule.model.TaskClass;
import io.remuda.coordinator.schedule.model.TaskSet;
import io.remuda.coordinator.schedule.order.OrderPolicy;
import io.remuda.coordinator.schedule.order.Patience;
import io.remuda.worker.job.JobSpec;
import io.remuda.worker.job.TaskId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Splits classes of waiting tasks by how urgent their jobs are. Jobs that differ by less than a
 * twentieth are equal. The first job of a class that has waited longer than its {@link Patience} is
 * a part of its own that comes before all others. Each part may be overtaken or not by how long its
 * own first task has waited. Single-threaded.
 */
public final class RankedClasses {

  /** Jobs of a class that are ranked in a cycle; those behind them are the least urgent. */
  static final int MOST_JOBS = 2000;

  private static final double STEP = 1.05;

  private static final JobStandings.Aged BEHIND = new JobStandings.Aged(0, false);

  private final OrderPolicy policy;
  private final JobStandings standings;
  private final Function<TaskId, TaskRecord> tasks;
  private final Function<TaskRecord, JobSpec> specs;
  private final long reserveAfterNanos;

  /** The part of jobs with about the same urgency. */
  private static final class Part {
    private final TaskSet tasks = new TaskSet();
    private final double urgency;

    private Part(double urgency) {
      this.urgency = urgency;
    }
  }

  /**
   * @param tasks returns a live task
   * @param specs returns the specification of its job
   * @param reserveAfter how long a task is overtaken before capacity is reserved for it
   */
  public RankedClasses(
      OrderPolicy policy,
      JobStandings standings,
      Function<TaskId, TaskRecord> tasks,
      Function<TaskRecord, JobSpec> specs,
      Duration reserveAfter) {
    this.reserveAfterNanos = reserveAfter.toNanos();
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
    Map<Integer, Part> byLevel = new TreeMap<>();
    int gpus = line.key().gpusOf(specs.apply(tasks.apply(line.tasks().first())));
    boolean overdue = false;
    int ranked = 0;
    for (TaskId first = line.tasks().first(); first != null; ) {
      JobStandings.Aged aged = ranked++ < MOST_JOBS ? aged(line, first, gpus, now) : BEHIND;
      boolean next = aged.isOverdue() && !overdue;
      overdue |= next;
      double urgency = next ? Patience.URGENCY : aged.value() / gpus;
      Part part = byLevel.computeIfAbsent(level(urgency), any -> new Part(urgency));
      TaskId after = ranked > MOST_JOBS ? null : line.tasks().firstAfter(first.job());
      for (TaskId task = first; task != null && !task.equals(after); ) {
        part.tasks.add(task);
        task = line.tasks().higher(task);
      }
      first = after;
    }
    byLevel.values().forEach(part -> parts.add(part(line, part, now)));
  }

  private static int level(double urgency) {
    return urgency == 0 ? Integer.MIN_VALUE : (int) Math.floor(Math.log(urgency) / Math.log(STEP));
  }

  private TaskClass part(TaskClass line, Part part, long now) {
    return new TaskClass(
        line.key(), part.tasks, line.charge(), overtaking(line, part.tasks, now), part.urgency);
  }

  /** The first task of the class waits the longest: if it may be overtaken, all may. */
  private TaskClass.Overtaking overtaking(TaskClass line, TaskSet part, long now) {
    return line.overtaking() == TaskClass.Overtaking.REFUSED
            && tasks.apply(part.first()) instanceof PendingTask first
            && now - first.notBefore() < reserveAfterNanos
        ? TaskClass.Overtaking.ALLOWED
        : line.overtaking();
  }

  private JobStandings.Aged aged(TaskClass line, TaskId first, int gpus, long now) {
    TaskRecord task = tasks.apply(first);
    return standings.aged(policy, task, specs.apply(task), line.key(), gpus, now);
  }
}
