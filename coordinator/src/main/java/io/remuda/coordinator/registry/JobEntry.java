package io.remuda.coordinator.registry;

import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.worker.job.JobDependency;
import io.remuda.worker.job.JobSpec;
import io.remuda.worker.job.TaskId;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.RandomAccess;
import java.util.Set;

/**
 * A job and its tasks. One thread.
 *
 * <p>A task is <i>untouched</i> until something happens to it that does not happen to all of its
 * kind: untouched tasks have no record of their own, only the job's {@link #base}, so that an array
 * of a million costs nothing until it runs. Of a task that is over and durable only the state is
 * kept.
 */
final class JobEntry {

  /** So many tasks have their records, or have none, in one piece. */
  private static final int PAGE = 1024;

  private static final List<TaskState> WORST_FIRST =
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

  /** In place of the record of a task that is over; they have no number. */
  private static final Map<TaskState, TaskRecord> OVER = new EnumMap<>(TaskState.class);

  static {
    for (TaskState state : TaskState.values()) {
      if (state.isFinal()) {
        OVER.put(state, TaskRecord.first(null, state, 0));
      }
    }
  }

  private JobSpec spec;
  private final int size;

  /** By index; null for a page, or a task, that is untouched. */
  private final TaskRecord[][] pages;

  private final int[] counts = new int[TaskState.values().length];
  private final Set<JobDependency> open = new LinkedHashSet<>();
  private final EndSummary ends = new EndSummary();
  private final long since;
  private int untouched;
  private TaskState base;
  private String why;

  /** All tasks in the state in which they begin. */
  JobEntry(JobSpec spec, TaskState base, long now) {
    this.spec = spec;
    this.size = spec.tasks().size();
    this.pages = new TaskRecord[(size + PAGE - 1) / PAGE][];
    this.since = now;
    this.base = base;
    this.untouched = size;
    counts[base.ordinal()] = size;
  }

  JobSpec spec() {
    return spec;
  }

  void replace(JobSpec other) {
    spec = other;
  }

  /** The state of the untouched tasks, and the one that the others are to come to that wait. */
  TaskState base() {
    return base;
  }

  /** Why the untouched tasks are in that state, or null. */
  String why() {
    return why;
  }

  /** How many tasks are untouched. */
  int untouched() {
    return untouched;
  }

  /** How many tasks have a record of their own and are not over. */
  int live() {
    int live = base.isFinal() ? 0 : -untouched;
    for (TaskState state : TaskState.values()) {
      live += state.isFinal() ? 0 : count(state);
    }
    return live;
  }

  /** The untouched tasks come to another state. */
  void rebase(TaskState to, String because) {
    counts[base.ordinal()] -= untouched;
    counts[to.ordinal()] += untouched;
    base = to;
    why = because;
  }

  private TaskRecord touched(int index) {
    TaskRecord[] page = pages[index / PAGE];
    return page == null ? null : page[index % PAGE];
  }

  /** A task's record, or null if there is no such task. */
  TaskRecord task(int index) {
    if (index >= size) {
      return null;
    }
    TaskRecord own = touched(index);
    if (own == null) {
      return TaskRecord.untouched(new TaskId(spec.id(), index), base, since, why);
    }
    return own.id() == null
        ? TaskRecord.first(new TaskId(spec.id(), index), own.state(), since)
        : own;
  }

  /** All tasks by index; a view. */
  List<TaskRecord> tasks() {
    return new View();
  }

  private final class View extends AbstractList<TaskRecord> implements RandomAccess {
    @Override
    public TaskRecord get(int index) {
      if (index < 0 || index >= size) {
        throw new IndexOutOfBoundsException(index);
      }
      return task(index);
    }

    @Override
    public int size() {
      return size;
    }
  }

  void put(TaskRecord task) {
    place(task.id().index(), task);
    if (task.state().isFinal()) {
      Integer code = task.end() == null ? null : task.end().exitCode();
      ends.note(task.id().index(), task.state(), task.cause(), code);
    }
  }

  private void place(int index, TaskRecord task) {
    TaskRecord before = touched(index);
    counts[(before == null ? base : before.state()).ordinal()]--;
    counts[task.state().ordinal()]++;
    untouched -= before == null ? 1 : 0;
    int page = index / PAGE;
    if (pages[page] == null) {
      pages[page] = new TaskRecord[Math.min(PAGE, size - page * PAGE)];
    }
    pages[page][index % PAGE] = task;
  }

  /** A task that is over is in the store: no more than its state is needed. */
  void isKept(int index) {
    TaskRecord own = touched(index);
    if (own != null && own.state().isFinal()) {
      pages[index / PAGE][index % PAGE] = OVER.get(own.state());
    }
  }

  /** Tasks that were over already when this job was restored. */
  void restore(EndedTasks over) {
    for (int index = 0; index < Math.min(size, over.end()); index++) {
      if (over.state(index) != null) {
        place(index, OVER.get(over.state(index)));
      }
    }
    ends.add(over.summary());
  }

  /** What a range of tasks is told to. */
  interface Ranges {
    /** From an index to the one behind the last. */
    void range(int from, int to);
  }

  /** Goes through the untouched tasks. */
  void untouched(Ranges ranges) {
    int from = 0;
    for (int index = nextTouched(0); index < size; index = nextTouched(index + 1)) {
      if (from < index) {
        ranges.range(from, index);
      }
      from = index + 1;
    }
    if (from < size) {
      ranges.range(from, size);
    }
  }

  /** The first index from there on whose task is touched, or the number of tasks. */
  private int nextTouched(int from) {
    int index = from;
    while (index < size) {
      if (pages[index / PAGE] == null) {
        index = (index / PAGE + 1) * PAGE;
      } else if (touched(index) == null) {
        index++;
      } else {
        return index;
      }
    }
    return size;
  }

  /** The first task from an index on that has a record of its own and is not over, or null. */
  TaskRecord nextLive(int from) {
    for (int index = nextTouched(from); index < size; index = nextTouched(index + 1)) {
      if (!touched(index).state().isFinal()) {
        return touched(index);
      }
    }
    return null;
  }

  /** The first task of which nothing runs and that may run later, or null. */
  TaskRecord firstBefore() {
    for (int index = 0; index < size; index++) {
      TaskRecord own = touched(index);
      if ((own == null ? base : own.state()).isBefore()) {
        return task(index);
      }
      if (pages[index / PAGE] == null) {
        index = (index / PAGE + 1) * PAGE - 1; // all of it is in the base's state
      }
    }
    return null;
  }

  int count(TaskState state) {
    return counts[state.ordinal()];
  }

  /** Jobs that have to end before this one's tasks may run. */
  Set<JobDependency> open() {
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
    for (TaskState state : WORST_FIRST) {
      if (count(state) > 0) {
        return state;
      }
    }
    return TaskState.SUCCEEDED;
  }

  /**
   * Why all tasks were ended, or why the first of them ended so that says it; null where none says
   * so, and of a success, which needs no reason.
   */
  String reason(TaskState state) {
    if (state == TaskState.SUCCEEDED) {
      return null;
    }
    if (state == base && why != null) {
      return why;
    }
    EndSummary.FirstEnd said = ends.first(state).orElse(null);
    if (said == null || size == 1) {
      return said == null ? null : said.cause();
    }
    return new TaskId(spec.id(), said.index()) + ": " + said.cause();
  }

  /** The untouched tasks, for when they are few. */
  List<TaskRecord> untouchedTasks() {
    List<TaskRecord> tasks = new ArrayList<>(untouched);
    untouched(
        (from, to) -> {
          for (int index = from; index < to; index++) {
            tasks.add(task(index));
          }
        });
    return tasks;
  }

  /** The lowest index of an untouched task; there must be one. */
  int firstUntouched() {
    int index = 0;
    while (touched(index) != null) {
      index++;
    }
    return index;
  }

  /** As {@link EndSummary#exitCode}. */
  Integer exitCode() {
    return ends.exitCode();
  }

  @Override
  public String toString() {
    return spec.id() + " " + Arrays.toString(counts);
  }
}
