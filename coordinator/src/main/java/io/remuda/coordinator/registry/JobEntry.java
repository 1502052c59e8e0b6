package io.remuda.coordinator.registry;

import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.worker.job.Dependency;
import io.remuda.worker.job.JobSpec;
import io.remuda.worker.job.TaskId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** A job and its tasks. One thread. */
final class JobEntry {

  private JobSpec spec;
  private final TaskRecord[] tasks;
  private final int[] counts = new int[TaskState.values().length];
  private final Set<Dependency> open = new LinkedHashSet<>();

  /** All tasks in the state in which they begin. */
  JobEntry(JobSpec spec, TaskState state, long now) {
    this.spec = spec;
    this.tasks = new TaskRecord[spec.tasks().size()];
    for (int index = 0; index < tasks.length; index++) {
      tasks[index] = TaskRecord.first(new TaskId(spec.id(), index), state, now);
    }
    counts[state.ordinal()] = tasks.length;
  }

  JobSpec spec() {
    return spec;
  }

  void replace(JobSpec other) {
    spec = other;
  }

  TaskRecord task(int index) {
    return index < tasks.length ? tasks[index] : null;
  }

  List<TaskRecord> tasks() {
    return Collections.unmodifiableList(Arrays.asList(tasks));
  }

  void put(TaskRecord task) {
    counts[tasks[task.id().index()].state().ordinal()]--;
    counts[task.state().ordinal()]++;
    tasks[task.id().index()] = task;
  }

  int count(TaskState state) {
    return counts[state.ordinal()];
  }

  /** Jobs that have to end before this one's tasks may run. */
  Set<Dependency> open() {
    return open;
  }

  boolean isOver() {
    return state().isFinal();
  }

  /**
   * The state of the whole: that of the task that is furthest from its end, where one that runs
   * counts before one that waits; of a job that is over the worst.
   */
  TaskState state() {
    List<TaskState> order =
        List.of(
            TaskState.UNKNOWN,
            TaskState.RUNNING,
            TaskState.ENDING,
            TaskState.STARTING,
            TaskState.WAITING,
            TaskState.SUBMITTED,
            TaskState.HELD,
            TaskState.FAILED,
            TaskState.LOST,
            TaskState.CANCELLED);
    for (TaskState state : order) {
      if (count(state) > 0) {
        return state;
      }
    }
    return TaskState.SUCCEEDED;
  }

  /** The first task in a state that is no success, to say why the job ended so. */
  List<TaskRecord> ended(TaskState state) {
    List<TaskRecord> some = new ArrayList<>();
    for (TaskRecord task : tasks) {
      if (task.state() == state) {
        some.add(task);
      }
    }
    return some;
  }
}
