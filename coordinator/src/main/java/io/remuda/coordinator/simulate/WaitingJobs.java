package io.remuda.coordinator.simulate;

import io.remuda.coordinator.schedule.model.TaskClass;
import io.remuda.coordinator.schedule.model.TaskSet;
import io.remuda.coordinator.schedule.order.AgedUrgency;
import io.remuda.coordinator.schedule.order.Patience;
import io.remuda.worker.job.TaskId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * The jobs that wait, by class and urgency. Jobs whose urgency differs by less than {@value #STEP}
 * are equal, so that a class has a few hundred parts at most. While a job waits only its age
 * changes, for all alike.
 */
final class WaitingJobs {

  private static final double STEP = 0.05;

  private record Part(int level, TaskSet tasks) {}

  private final Map<TaskClass.SchedulingKey, NavigableMap<Integer, Part>> lines =
      new LinkedHashMap<>();
  private final Map<Long, Integer> levels = new HashMap<>();
  private final Map<Long, Long> overdueAts = new HashMap<>();

  /** When the jobs of a class have waited longer than their patience. */
  private final Map<TaskClass.SchedulingKey, NavigableSet<Limit>> limits = new HashMap<>();

  /** Level of jobs of which the policy has no opinion. */
  private static final int NONE = Integer.MIN_VALUE;

  /** Level of the job of a class that is the next one, as in the job service. */
  private static final int OVERDUE = Integer.MAX_VALUE;

  private record Limit(long at, SimulatedJob job) {}

  private static final Comparator<Limit> IN_ORDER =
      Comparator.comparingLong(Limit::at).thenComparing(limit -> limit.job().id());

  /**
   * Adds a job.
   *
   * @param value of the policy, without its age
   * @param overdueAt when it will have waited longer than its patience
   */
  void add(SimulatedJob job, double value, long overdueAt) {
    double atStart =
        AgedUrgency.aged(value / job.gpus(), 0) / AgedUrgency.aged(1, job.arrivalMillis());
    int level = value == 0 ? NONE : (int) Math.floor(Math.log(atStart) / Math.log1p(STEP));
    limits
        .computeIfAbsent(job.key(), any -> new TreeSet<>(IN_ORDER))
        .add(new Limit(overdueAt, job));
    overdueAts.put(job.id().value(), overdueAt);
    put(job, level);
  }

  private void put(SimulatedJob job, int level) {
    levels.put(job.id().value(), level);
    lines
        .computeIfAbsent(job.key(), any -> new TreeMap<>(Collections.reverseOrder()))
        .computeIfAbsent(level, any -> new Part(level, new TaskSet()))
        .tasks()
        .add(job.id(), 0, job.tasks());
  }

  void remove(SimulatedJob job) {
    take(job);
    NavigableSet<Limit> all = limits.get(job.key());
    all.remove(new Limit(overdueAts.remove(job.id().value()), job));
    if (all.isEmpty()) {
      limits.remove(job.key());
    }
  }

  private void take(SimulatedJob job) {
    NavigableMap<Integer, Part> line = lines.get(job.key());
    int level = levels.remove(job.id().value());
    Part part = line.get(level);
    part.tasks().removeAll(job.id());
    if (part.tasks().isEmpty()) {
      line.remove(level);
    }
    if (line.isEmpty()) {
      lines.remove(job.key());
    }
  }

  boolean isEmpty() {
    return lines.isEmpty();
  }

  int size() {
    return levels.size();
  }

  /** The first job of each class that has waited longer than its patience is the next one. */
  private void promote(long nowMillis) {
    for (NavigableSet<Limit> all : limits.values()) {
      Limit first = all.first();
      if (first.at() < nowMillis && !lines.get(first.job().key()).containsKey(OVERDUE)) {
        take(first.job());
        put(first.job(), OVERDUE);
      }
    }
  }

  /** Returns the classes for a plan. */
  List<TaskClass> classes(long nowMillis, Function<TaskId, TaskClass.Overtaking> overtaking) {
    promote(nowMillis);
    List<TaskClass> classes = new ArrayList<>();
    lines.forEach(
        (key, parts) ->
            parts
                .values()
                .forEach(
                    part ->
                        classes.add(
                            new TaskClass(
                                key,
                                part.tasks(),
                                1,
                                part.level() == OVERDUE
                                    ? TaskClass.Overtaking.REFUSED
                                    : overtaking.apply(part.tasks().first()),
                                urgency(part, nowMillis)))));
    return classes;
  }

  /** Returns the most urgent job of a class as a class of its own; null if none waits. */
  TaskClass first(TaskClass.SchedulingKey key, long nowMillis) {
    NavigableMap<Integer, Part> line = lines.get(key);
    if (line == null) {
      return null;
    }
    Part part = line.firstEntry().getValue();
    TaskSet tasks = TaskClass.first(key, part.tasks(), 1).tasks();
    return new TaskClass(key, tasks, 1, TaskClass.Overtaking.ALLOWED, urgency(part, nowMillis));
  }

  private static double urgency(Part part, long nowMillis) {
    if (part.level() == OVERDUE) {
      return Patience.URGENCY;
    }
    return part.level() == NONE
        ? 0
        : AgedUrgency.aged(Math.pow(1 + STEP, part.level() + 0.5), nowMillis);
  }
}
