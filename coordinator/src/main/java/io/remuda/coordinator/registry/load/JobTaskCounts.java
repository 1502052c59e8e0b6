package io.remuda.coordinator.registry.load;

import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.worker.job.JobId;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Counts the tasks of a job by state; while it is live, those of all jobs, too. Single-threaded.
 */
public final class JobTaskCounts {

  private static final TaskState[] STATES = TaskState.values();

  private static final List<TaskState> WORST_FIRST =
      List.of(
          TaskState.UNKNOWN,
          TaskState.RUNNING,
          TaskState.STOPPING,
          TaskState.ENDING,
          TaskState.STARTING,
          TaskState.WAITING,
          TaskState.SUBMITTED,
          TaskState.HELD,
          TaskState.FAILED,
          TaskState.LOST,
          TaskState.CANCELLED);

  private final String user;
  private final JobId job;
  private final int[] counts = new int[STATES.length];
  private QueueLoad load; // null while it is not live

  /** Creates the counts of a job all of whose tasks are in one state. */
  public JobTaskCounts(String user, JobId job, TaskState first, int size) {
    this.user = user;
    this.job = job;
    counts[first.ordinal()] = size;
  }

  /** Has its tasks counted with those of all jobs from now on. */
  public void begin(QueueLoad all) {
    load = all;
    load.came(user, job, all());
  }

  /** Has them counted there no longer. */
  public void end() {
    load.left(user, job, all());
    load = null;
  }

  /** Moves tasks from one state to another. */
  public void move(TaskState from, TaskState to, int number) {
    counts[from.ordinal()] -= number;
    counts[to.ordinal()] += number;
    if (load != null) {
      load.moved(user, job, from, to, number);
    }
  }

  /** Returns the number of tasks in a state. */
  public int in(TaskState state) {
    return counts[state.ordinal()];
  }

  /** Returns the number of tasks by state, without states that no task is in. */
  public Map<TaskState, Integer> all() {
    Map<TaskState, Integer> all = new TreeMap<>();
    for (TaskState state : STATES) {
      if (in(state) > 0) {
        all.put(state, in(state));
      }
    }
    return all;
  }

  /** Returns the number of tasks that do not run and may run later. */
  public int before() {
    int before = 0;
    for (TaskState state : STATES) {
      before += state.isBefore() ? in(state) : 0;
    }
    return before;
  }

  /**
   * Returns the state of the job as a whole: the first state in {@link #WORST_FIRST} that a task
   * has, or succeeded. Running tasks count before waiting ones.
   */
  public TaskState together() {
    for (TaskState state : WORST_FIRST) {
      if (in(state) > 0) {
        return state;
      }
    }
    return TaskState.SUCCEEDED;
  }

  @Override
  public String toString() {
    return Arrays.toString(counts);
  }
}
