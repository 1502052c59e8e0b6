package io.remuda.coordinator.simulate;

import io.remuda.coordinator.schedule.model.TaskClass;
import io.remuda.coordinator.schedule.model.TaskSet;
import io.remuda.coordinator.schedule.order.AgedUrgency;
import io.remuda.worker.job.TaskId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
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

  /** Level of jobs of which the policy has no opinion. */
  private static final int NONE = Integer.MIN_VALUE;

  /**
   * Adds a job.
   *
   * @param value of the policy, without its age
   */
  void add(SimulatedJob job, double value) {
    double atStart =
        AgedUrgency.aged(value / job.gpus(), 0) / AgedUrgency.aged(1, job.arrivalMillis());
    int level = value == 0 ? NONE : (int) Math.floor(Math.log(atStart) / Math.log1p(STEP));
    levels.put(job.id().value(), level);
    lines
        .computeIfAbsent(job.key(), any -> new TreeMap<>(Collections.reverseOrder()))
        .computeIfAbsent(level, any -> new Part(level, new TaskSet()))
        .tasks()
        .add(job.id(), 0, job.tasks());
  }

  void remove(SimulatedJob job) {
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

  /** Returns the classes for a plan. */
  List<TaskClass> classes(long nowMillis, Function<TaskId, TaskClass.Overtaking> overtaking) {
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
                                overtaking.apply(part.tasks().first()),
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
    return part.level() == NONE
        ? 0
        : AgedUrgency.aged(Math.pow(1 + STEP, part.level() + 0.5), nowMillis);
  }
}
