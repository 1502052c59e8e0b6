package io.remuda.coordinator.registry;

import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.profile.JobType;
import io.remuda.coordinator.profile.Profiles;
import io.remuda.coordinator.registry.forecast.PlacedTaskSource;
import io.remuda.coordinator.registry.policy.UserLimitTracker;
import io.remuda.coordinator.registry.task.IndexedJobProperty;
import io.remuda.coordinator.registry.task.PendingTask;
import io.remuda.coordinator.registry.task.Place;
import io.remuda.coordinator.registry.task.PlaceIndex;
import io.remuda.coordinator.registry.task.PlacedTask;
import io.remuda.coordinator.registry.task.TaskAttemptSummary;
import io.remuda.coordinator.registry.task.TaskRecord;
import io.remuda.coordinator.schedule.model.TaskClass;
import io.remuda.coordinator.schedule.model.TaskSet;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobSpec;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.TaskId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * All live jobs and tasks, with indexes of the tasks by node and slot and of the waiting tasks by
 * class. Single-threaded.
 */
final class TaskTable implements PlacedTaskSource {

  /** A task that may not be placed before a given time. */
  private record RetryPause(long until, TaskId task) {}

  private final NavigableMap<JobId, JobEntry> jobs = new TreeMap<>();
  private final Map<IndexedJobProperty, Set<JobId>> kinds = new EnumMap<>(IndexedJobProperty.class);
  private final PlaceIndex places = new PlaceIndex();
  private final TaskGroupOccupancy groups = new TaskGroupOccupancy();
  private final TaskNeeds needs;
  private final Map<TaskClass.SchedulingKey, TaskSet> lines = new LinkedHashMap<>();
  private final PriorityQueue<RetryPause> paused =
      new PriorityQueue<>(
          Comparator.comparingLong(RetryPause::until).thenComparing(RetryPause::task));

  /** The latest time passed to this table, on the monotonic clock. */
  private long present;

  /**
   * @param profiles needs of the types; they must change only within {@link #learn}
   * @param now on the monotonic clock in nanoseconds
   */
  TaskTable(Profiles profiles, long now) {
    this.needs = new TaskNeeds(profiles, groups);
    this.present = now;
  }

  /** Adds a job; its waiting tasks that may be placed at {@code now} enter their classes. */
  void add(JobEntry job, long now) {
    come(now);
    jobs.put(job.spec().id(), job);
    addKinds(job.spec());
    enterAll(job);
  }

  private void addKinds(JobSpec job) {
    IndexedJobProperty.of(job)
        .forEach(kind -> kinds.computeIfAbsent(kind, any -> new TreeSet<>()).add(job.id()));
  }

  private void come(long now) {
    present = now - present > 0 ? now : present;
  }

  /** Removes an ended job. */
  void drop(JobId id) {
    jobs.remove(id);
    kinds.values().forEach(ids -> ids.remove(id));
  }

  /** Returns the jobs of a kind, in the order of submission. */
  Set<JobId> of(IndexedJobProperty kind) {
    return Collections.unmodifiableSet(kinds.getOrDefault(kind, Set.of()));
  }

  JobEntry job(JobId id) {
    return jobs.get(id);
  }

  Collection<JobEntry> jobs() {
    return Collections.unmodifiableCollection(jobs.values());
  }

  TaskRecord find(TaskId id) {
    JobEntry job = jobs.get(id.job());
    return job == null ? null : job.task(id.index());
  }

  @Override
  public JobSpec spec(TaskRecord task) {
    return jobs.get(task.id().job()).spec();
  }

  @Override
  public JobType program(JobId job) {
    return jobs.get(job).program();
  }

  /**
   * Returns the resources of a task: those it was promised if it has a place, otherwise those known
   * now. A task whose type is measured gets whole devices.
   */
  ResourceRequest needs(TaskRecord task) {
    return needs.of(spec(task), task.id().index(), place(task), task.history());
  }

  /** Returns what a task usually takes by its type; 0 if that is not known. */
  long usualMillis(TaskRecord task) {
    return needs.usualMillis(program(task.id().job()));
  }

  /** Returns the task that measures each type; tasks on silent nodes do not count. */
  Map<JobType, TaskId> measuring() {
    return places.measuring();
  }

  /**
   * Changes the profile of a type and moves its waiting tasks to their new classes. Tasks without a
   * memory floor move together.
   */
  void learn(JobType type, Runnable change) {
    List<TaskSet> waiting = new ArrayList<>();
    lines
        .entrySet()
        .removeIf(line -> type.equals(line.getKey().type()) && waiting.add(line.getValue()));
    change.run();
    for (TaskSet alike : waiting) {
      if (find(alike.first()).floor().isNone()) {
        lines.merge(key(find(alike.first())), alike, TaskTable::together);
      } else {
        alike.forEach(id -> line(find(id)).add(id)); // each has its own floor
      }
    }
  }

  private static TaskSet together(TaskSet others, TaskSet own) {
    others.addAll(own);
    return others;
  }

  /** Replaces a task's record. */
  void put(TaskRecord task) {
    JobEntry job = jobs.get(task.id().job());
    leave(job.task(task.id().index()));
    job.put(task);
    enter(task);
  }

  /** Replaces a job's specification and moves its waiting tasks to their new classes. */
  void replace(JobSpec spec) {
    JobEntry job = jobs.get(spec.id());
    if (job.base() == TaskState.WAITING) {
      withdraw(job);
    }
    eachLive(job, this::leave);
    kinds.values().forEach(ids -> ids.remove(spec.id()));
    job.replace(spec);
    addKinds(spec);
    enterAll(job);
  }

  /**
   * Changes the base state of a job. Its waiting tasks, touched or not, are in their classes only
   * while this is {@code WAITING}; in another state none of them is placed.
   */
  void rebase(JobEntry job, TaskState to, String why, long now) {
    if (StartGates.isOpen(job)) {
      withdraw(job);
    }
    job.rebase(to, why);
    if (to == TaskState.WAITING) {
      job.isInLine(now);
      enterUntouched(job);
      eachWaiting(job, this::enter);
    }
  }

  private void withdraw(JobEntry job) {
    for (int first : groups.firstTasks(job.spec())) {
      TaskClass.SchedulingKey key = needs.key(job.spec(), first, null, TaskAttemptSummary.NONE);
      TaskSet line = lines.get(key);
      if (line != null) {
        line.removeAll(job.spec().id());
        if (line.isEmpty()) {
          lines.remove(key);
        }
      }
    }
    eachWaiting(job, this::leave); // tasks with a memory floor are in other classes
  }

  private static void eachWaiting(JobEntry job, Consumer<TaskRecord> what) {
    eachLive(
        job,
        task -> {
          if (task.state() == TaskState.WAITING) {
            what.accept(task);
          }
        });
  }

  /** Passes the touched tasks of a job that have not ended. */
  private static void eachLive(JobEntry job, Consumer<TaskRecord> what) {
    TaskRecord task = job.live() == 0 ? null : job.nextLive(0);
    while (task != null) {
      what.accept(task);
      task = job.nextLive(task.id().index() + 1);
    }
  }

  private void enterAll(JobEntry job) {
    if (job.base() == TaskState.WAITING) {
      enterUntouched(job);
    }
    eachLive(job, this::enter);
  }

  /** Adds the untouched tasks to their classes: one, unless the job has groups of tasks. */
  private void enterUntouched(JobEntry job) {
    JobSpec spec = job.spec();
    job.untouched(
        (from, to) ->
            groups.split(
                spec,
                from,
                to,
                (first, end) ->
                    lines
                        .computeIfAbsent(
                            needs.key(spec, first, null, TaskAttemptSummary.NONE),
                            key -> new TaskSet())
                        .add(spec.id(), first, end)));
  }

  private void enter(TaskRecord task) {
    if (task instanceof PlacedTask placed) {
      enter(placed);
    } else if (task instanceof PendingTask pending && isDue(pending)) {
      line(task).add(task.id());
    } else if (task instanceof PendingTask pending && waits(pending)) {
      paused.add(new RetryPause(pending.notBefore(), task.id()));
    }
  }

  private static Place place(TaskRecord task) {
    return task instanceof PlacedTask placed ? placed.place() : null;
  }

  private static boolean waits(TaskRecord task) {
    return task.state() == TaskState.WAITING;
  }

  private boolean isDue(PendingTask task) {
    return waits(task)
        && task.notBefore() - present <= 0
        && StartGates.isOpen(jobs.get(task.id().job()));
  }

  private void enter(PlacedTask task) {
    groups.entered(spec(task), task);
    Optional<JobType> type = TaskNeeds.type(spec(task));
    places.entered(task, type, type.isPresent() && needs.isFirstRun(type.get()));
  }

  private TaskSet line(TaskRecord task) {
    return lines.computeIfAbsent(key(task), key -> new TaskSet());
  }

  private void leave(TaskRecord task) {
    if (task instanceof PlacedTask placed) {
      leave(placed);
    } else if (waits(task)) {
      removeFromLine(task);
    }
  }

  private void leave(PlacedTask task) {
    groups.left(spec(task), task);
    places.left(task, TaskNeeds.type(spec(task)));
  }

  private void removeFromLine(TaskRecord task) {
    TaskClass.SchedulingKey key = key(task);
    TaskSet line = lines.get(key);
    if (line != null) {
      line.remove(task.id());
      if (line.isEmpty()) {
        lines.remove(key);
      }
    }
  }

  /** Returns what a task of a new job needs, with the memory measured for its type if known. */
  ResourceRequest needs(ResourceRequest asked, Optional<JobType> type) {
    return needs.measured(asked, type);
  }

  @Override
  public TaskClass.SchedulingKey key(TaskRecord task) {
    return needs.key(spec(task), task.id().index(), place(task), task.history());
  }

  /**
   * Returns the waiting tasks of a class that may have a place now: of a gang none unless all its
   * members wait that have not failed, and of a group only as many as may run beside those that
   * have a place.
   */
  TaskSet allowed(TaskClass.SchedulingKey key, TaskSet waiting) {
    if (key.gang() != null) {
      return jobs.get(key.gang().job()).countSound() == waiting.size() ? waiting : new TaskSet();
    }
    int most = groups.allowed(key.group());
    if (most >= waiting.size()) {
      return waiting;
    }
    return most <= 0 ? new TaskSet() : TaskClass.first(key, waiting, most).tasks();
  }

  /** Returns what the tasks of each user have, and the limits of users. */
  UserLimitTracker use() {
    return groups.use();
  }

  /** Returns whether one more task of the group of this one may have a place. */
  boolean hasRoom(TaskId task) {
    return groups.allowed(groups.of(jobs.get(task.job()).spec(), task.index())) > 0;
  }

  /** Returns the tasks that hold a place on a node. */
  List<PlacedTask> at(String node) {
    Set<TaskId> ids = places.at(node);
    List<PlacedTask> tasks = new ArrayList<>(ids.size());
    ids.forEach(id -> tasks.add((PlacedTask) find(id)));
    return tasks;
  }

  /** Returns a number that grows with every change of {@link #at} for the node. */
  long version(String node) {
    return places.version(node);
  }

  /** Returns the tasks of a slot in the order of their submission. */
  NavigableSet<TaskId> inSlot(long slot) {
    return places.inSlot(slot);
  }

  /** Returns the slots of a node, each with its first task. */
  Map<Long, PlacedTask> slots(String node) {
    Map<Long, PlacedTask> slots = new TreeMap<>();
    for (PlacedTask task : at(node)) {
      slots.putIfAbsent(task.place().slot(), task);
    }
    return slots;
  }

  @Override
  public List<PlacedTask> placed() {
    List<PlacedTask> tasks = new ArrayList<>();
    places.nodes().forEach(node -> tasks.addAll(at(node)));
    return tasks;
  }

  /** Returns the waiting tasks that may be placed now, by class. */
  Map<TaskClass.SchedulingKey, TaskSet> lines(long now) {
    come(now);
    while (!paused.isEmpty() && paused.peek().until() - now <= 0) {
      if (find(paused.poll().task()) instanceof PendingTask task && isDue(task)) {
        line(task).add(task.id());
      }
    }
    return lines;
  }

  /** Returns the waiting tasks of a class as of the last {@link #lines}. */
  TaskSet knownLine(TaskClass.SchedulingKey key) {
    return lines.getOrDefault(key, new TaskSet());
  }
}
