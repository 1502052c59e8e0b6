package io.remuda.coordinator.registry;

import io.remuda.agent.protocol.GangStart;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.profile.JobType;
import io.remuda.coordinator.registry.load.JobTaskCounts;
import io.remuda.coordinator.registry.order.WaitTimes;
import io.remuda.coordinator.registry.policy.FailureLimitText;
import io.remuda.coordinator.registry.task.EndedTask;
import io.remuda.coordinator.registry.task.EndedTasksSummary;
import io.remuda.coordinator.registry.task.TaskAttemptSummary;
import io.remuda.coordinator.registry.task.TaskPages;
import io.remuda.coordinator.registry.task.TaskRecord;
import io.remuda.coordinator.usage.UsageAccumulator;
import io.remuda.worker.job.JobDependency;
import io.remuda.worker.job.JobSpec;
import io.remuda.worker.job.TaskId;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.RandomAccess;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A job and its tasks. Single-threaded.
 *
 * <p>A task is <i>untouched</i> until it changes alone. Untouched tasks have no record of their own
 * and share the job's {@link #base} state, so that an array of a million tasks needs no memory for
 * them until they run. Of a task that has ended and is durable only the state is kept.
 */
final class JobEntry implements LiveJob {

  /** Shared records of ended tasks, by state; they have no id. */
  private static final Map<TaskState, EndedTask> OVER = new EnumMap<>(TaskState.class);

  static {
    for (TaskState state : TaskState.values()) {
      if (state.isFinal()) {
        OVER.put(state, new EndedTask(null, state, TaskAttemptSummary.NONE));
      }
    }
  }

  private JobSpec spec;

  /** The type of its tasks; null until somebody asks. */
  private JobType program;

  private final int size;

  /** The records of the touched tasks. */
  private final TaskPages pages;

  private final JobTaskCounts counts;
  private final Set<JobDependency> open = new LinkedHashSet<>();
  private final EndedTasksSummary ends = new EndedTasksSummary();
  private final long since;
  private WaitTimes waits;
  private int untouched;

  /** A number of first tasks that have all ended, so that these need not be looked at again. */
  private int over;

  private TaskState base;
  private String why;
  private GangStart gangStart = GangStart.NONE;

  /** When its first task was seen running, on the monotonic clock; null before. */
  private Long begunAt;

  /** Creates a job with all tasks untouched, in state {@code base}. */
  JobEntry(JobSpec spec, TaskState base, long now) {
    this.spec = spec;
    this.size = spec.tasks().size();
    this.pages = new TaskPages(size);
    this.since = now;
    this.waits = WaitTimes.since(now);
    this.base = base;
    this.untouched = size;
    this.counts = new JobTaskCounts(spec.user(), spec.id(), base, size);
  }

  /** Returns a job as an earlier coordinator stored it, without its live tasks. */
  static JobEntry restored(RestoredJob stored, long now) {
    JobEntry entry = new JobEntry(stored.job(), stored.base(), stored.submittedAt());
    entry.waits = stored.begunAt() == null ? entry.waits : entry.waits.placed(now);
    entry.why = stored.why();
    entry.gangStart = stored.gangStart();
    entry.begunAt = stored.begunAt();
    for (int index = 0; index < Math.min(entry.size, stored.ended().end()); index++) {
      if (stored.ended().state(index) != null) {
        entry.place(index, OVER.get(stored.ended().state(index)));
      }
    }
    if (stored.ended().end() > 0) {
      entry.ends.add(stored.ended().summary());
    }
    return entry;
  }

  @Override
  public JobSpec spec() {
    return spec;
  }

  void replace(JobSpec other) {
    spec = other;
    program = null;
  }

  /** Returns the type of its tasks, by which their durations are known. */
  JobType program() {
    program = program == null ? new JobType(spec.user(), UsageAccumulator.typeOf(spec)) : program;
    return program;
  }

  @Override
  public TaskState base() {
    return base;
  }

  @Override
  public String why() {
    return why;
  }

  @Override
  public GangStart gangStart() {
    return gangStart;
  }

  /** Returns the number of its tasks that have not failed: of a gang those that start together. */
  int countSound() {
    return size - count(TaskState.FAILED) - count(TaskState.LOST) - count(TaskState.CANCELLED);
  }

  void gangStart(GangStart now) {
    gangStart = now;
  }

  /** Notes that its tasks begin to wait for places. */
  void isInLine(long now) {
    waits = WaitTimes.since(now);
  }

  /** Notes that a task has got a place. */
  void isPlaced(long now) {
    waits = waits.placed(now);
  }

  /** Returns since when it waits. */
  WaitTimes waits() {
    return waits;
  }

  /** Notes that a task runs; only the first time counts. */
  void begun(long now) {
    begunAt = begunAt == null ? Long.valueOf(now) : begunAt;
  }

  @Override
  public boolean hasBegun() {
    return begunAt != null;
  }

  @Override
  public long ranFor(long now) {
    return begunAt == null ? 0 : now - begunAt;
  }

  @Override
  public boolean isUntouched() {
    return untouched == size;
  }

  /** Returns the number of untouched tasks. */
  int untouched() {
    return untouched;
  }

  /** Returns the number of tasks that have a record of their own and have not ended. */
  int live() {
    int live = base.isFinal() ? 0 : -untouched;
    for (TaskState state : TaskState.values()) {
      live += state.isFinal() ? 0 : count(state);
    }
    return live;
  }

  /** Returns the number of its tasks by state. */
  JobTaskCounts counted() {
    return counts;
  }

  /** Changes the state of the untouched tasks. */
  void rebase(TaskState to, String because) {
    counts.move(base, to, untouched);
    base = to;
    why = because;
  }

  /** Returns the record of a task, or null if the index is beyond the last task. */
  TaskRecord task(int index) {
    if (index >= size) {
      return null;
    }
    TaskRecord own = pages.get(index);
    if (own == null) {
      return TaskRecord.first(new TaskId(spec.id(), index), base, since).because(why);
    }
    return own.id() == null
        ? TaskRecord.first(new TaskId(spec.id(), index), own.state(), since)
        : own;
  }

  @Override
  public List<TaskRecord> tasks() {
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
    TaskRecord before = pages.get(index);
    counts.move(before == null ? base : before.state(), task.state(), 1);
    untouched -= before == null ? 1 : 0;
    over = task.state().isFinal() ? over : Math.min(over, index);
    pages.put(index, task);
  }

  /** Reduces the record of an ended task to its state, since the store has the rest. */
  void isKept(int index) {
    TaskRecord own = pages.get(index);
    if (own != null && own.state().isFinal()) {
      pages.put(index, OVER.get(own.state()));
    }
  }

  /** Passes all ranges of untouched tasks to {@code ranges}. */
  void untouched(TaskPages.Ranges ranges) {
    pages.gaps(ranges);
  }

  /** Returns the first touched task from {@code from} on that has not ended, or null. */
  TaskRecord nextLive(int from) {
    for (int index = pages.next(from); index < size; index = pages.next(index + 1)) {
      if (!pages.get(index).state().isFinal()) {
        return pages.get(index);
      }
    }
    return null;
  }

  @Override
  public TaskRecord firstBefore() {
    if (Stream.of(TaskState.values()).noneMatch(state -> state.isBefore() && count(state) > 0)) {
      return null;
    }
    while (over < size && pages.get(over) != null && pages.get(over).state().isFinal()) {
      over++;
    }
    for (int index = over; index < size; index++) {
      TaskRecord own = pages.get(index);
      if ((own == null ? base : own.state()).isBefore()) {
        return task(index);
      }
      if (own == null) {
        index = pages.next(index) - 1; // all before the next touched task are in the base state
      }
    }
    return null;
  }

  @Override
  public int count(TaskState state) {
    return counts.in(state);
  }

  /** Returns the number of its tasks by state, without states that no task is in. */
  Map<TaskState, Integer> counts() {
    return counts.all();
  }

  /** Returns the number of tasks that do not run and may run later. */
  int countBefore() {
    return counts.before();
  }

  /** Returns the open dependencies of the job, modifiable. */
  @Override
  public Set<JobDependency> open() {
    return open;
  }

  boolean isOver() {
    return state().isFinal();
  }

  @Override
  public TaskState state() {
    return counts.together();
  }

  private int countFailed() {
    return count(TaskState.FAILED) + count(TaskState.LOST);
  }

  /** Returns whether so many tasks have failed that the others are to be cancelled now. */
  boolean hasFailedEnough() {
    int most = spec.terms().array().maxFails();
    return most > 0 && countFailed() >= most && !base.isFinal() && !isOver();
  }

  /** Returns why the others are cancelled, for people. */
  String failedEnough() {
    return FailureLimitText.why(spec.terms().array().maxFails());
  }

  @Override
  public String reason(TaskState state) {
    if (state == TaskState.SUCCEEDED) {
      return null;
    }
    if (state == base && why != null) {
      return why;
    }
    EndedTasksSummary.FirstEnd said = ends.first(state).orElse(null);
    if (said == null || size == 1) {
      return said == null ? null : said.cause();
    }
    TaskId task = new TaskId(spec.id(), said.index());
    String first = spec.terms().array().words(task) + ": " + said.cause();
    boolean enough =
        base == TaskState.CANCELLED && (failedEnough().equals(why) || FailureLimitText.isIn(why));
    return enough ? FailureLimitText.reason(first, why) : first;
  }

  /** Returns the records of all untouched tasks; only for a small number of them. */
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

  /** Returns the lowest index of an untouched task, which must exist. */
  int firstUntouched() {
    int index = 0;
    while (pages.get(index) != null) {
      index++;
    }
    return index;
  }

  @Override
  public Integer exitCode() {
    Integer code = ends.exitCode();
    boolean ofSomeTasks = size > 1 && state() != TaskState.SUCCEEDED;
    return ofSomeTasks && code != null && code == 0 ? null : code;
  }

  @Override
  public String toString() {
    return spec.id() + " " + counts;
  }
}
