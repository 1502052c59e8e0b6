package io.remuda.coordinator.registry;

import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.profile.JobType;
import io.remuda.coordinator.profile.Profile;
import io.remuda.coordinator.profile.Profiles;
import io.remuda.coordinator.schedule.TaskClass;
import io.remuda.coordinator.schedule.TaskSet;
import io.remuda.worker.job.CommandWorkload;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobSpec;
import io.remuda.worker.job.JobTerms;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.TaskId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
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
 * All live jobs with their tasks, and what must be found without looking at every task: those of a
 * node, and those that wait, in lines of tasks that are alike. One thread.
 */
final class TaskTable {

  /** Of how busy a type keeps a device, in percent. */
  private static final int STEP = 10;

  /** A task that may not be placed before a moment. */
  private record RetryPause(long until, TaskId task) {}

  private final NavigableMap<JobId, JobEntry> jobs = new TreeMap<>();
  private final Profiles profiles;
  private final Map<JobType, NavigableSet<TaskId>> measuring = new HashMap<>();
  private final Map<String, NavigableSet<TaskId>> byNode = new HashMap<>();
  private final Map<Long, NavigableSet<TaskId>> bySlot = new HashMap<>();
  private final Map<String, Long> versions = new HashMap<>();
  private final Map<TaskClass.SchedulingKey, TaskSet> lines = new LinkedHashMap<>();
  private final PriorityQueue<RetryPause> paused =
      new PriorityQueue<>(
          Comparator.comparingLong(RetryPause::until).thenComparing(RetryPause::task));

  /** The newest moment that this has heard of, on the monotonic clock. */
  private long present;

  /**
   * Without any job.
   *
   * @param profiles what types need; they change only within {@link #learn}
   * @param now on the monotonic clock in nanoseconds
   */
  TaskTable(Profiles profiles, long now) {
    this.profiles = profiles;
    this.present = now;
  }

  /** Takes in a job; what of it waits since {@code now} or longer is in its line at once. */
  void add(JobEntry job, long now) {
    come(now);
    jobs.put(job.spec().id(), job);
    enterAll(job);
  }

  private void come(long now) {
    present = now - present > 0 ? now : present;
  }

  /** Forgets a job that is over. */
  void drop(JobId id) {
    jobs.remove(id);
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

  JobSpec spec(TaskRecord task) {
    return jobs.get(task.id().job()).spec();
  }

  /** Whether it is a command, which the node starts and sees the end of. */
  boolean isCommand(TaskRecord task) {
    return spec(task).tasks().get(task.id().index()) instanceof CommandWorkload;
  }

  /** The type by which a job's tasks get their part of a device; nothing if they state it. */
  static Optional<JobType> type(JobSpec spec) {
    return spec.request().isAuto()
        ? Optional.of(new JobType(spec.user(), spec.terms().type()))
        : Optional.empty();
  }

  /**
   * What a task needs of a node: as it was promised where it has a place, else as far as is known
   * now. Where that is still {@link ResourceRequest#AUTO} it has devices for itself.
   */
  ResourceRequest needs(TaskRecord task) {
    return needs(spec(task), task.place(), task.floor());
  }

  /** What a task of a job that is about to be submitted needs. */
  ResourceRequest needs(ResourceRequest asked, Optional<JobType> type) {
    Optional<Profile> profile = type.flatMap(profiles::of).filter(Profile::isKnown);
    return profile
        .map(known -> asked.withGpuMemory(known.reservation()).withGpuPercent(percent(known)))
        .orElse(asked);
  }

  /** In steps, so that tasks do not change lines with every run of their type. */
  private static int percent(Profile known) {
    Integer percent = known.utilPercent();
    return percent == null ? 0 : Math.min(100, (percent + STEP - 1) / STEP * STEP);
  }

  private ResourceRequest needs(JobSpec spec, TaskRecord.Place place, MemoryFloor floor) {
    ResourceRequest asked = floor.raiseMemory(spec.request());
    if (asked.gpuMemory() == 0) {
      return asked;
    }
    if (place != null && place.gpuMemory() != 0) {
      return needs(asked, type(spec)).withGpuMemory(place.gpuMemory());
    }
    return floor.raiseGpuMemory(needs(asked, type(spec)));
  }

  /**
   * Tasks on which a type is being measured, by type; nobody waits for one whose node is silent.
   */
  Map<JobType, TaskId> measuring() {
    Map<JobType, TaskId> first = new HashMap<>();
    measuring.forEach((type, tasks) -> first.put(type, tasks.first()));
    return first;
  }

  /**
   * Changes what is known of a type; its tasks wait in other lines from now on. Those that wait for
   * the first time change together, however many they are.
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

  /** Takes a task's new record in place of the one it had. */
  void put(TaskRecord task) {
    JobEntry job = jobs.get(task.id().job());
    leave(job.task(task.id().index()));
    job.put(task);
    enter(task);
  }

  /** Takes the job's other description; its tasks may wait in other lines from now on. */
  void replace(JobSpec spec) {
    JobEntry job = jobs.get(spec.id());
    job.tasks().forEach(this::leave);
    job.replace(spec);
    enterAll(job);
  }

  /**
   * The untouched tasks of a job come to another state, and those wait for a place or do so no more
   * that waited: while the job's base is another one nothing of it is placed.
   */
  void rebase(JobEntry job, TaskState to, String why) {
    if (job.base() == TaskState.WAITING) {
      withdraw(job);
    }
    job.rebase(to, why);
    if (to == TaskState.WAITING) {
      enterUntouched(job);
      eachWaiting(job, this::enter);
    }
  }

  private void withdraw(JobEntry job) {
    TaskClass.SchedulingKey key = key(job.spec(), null, MemoryFloor.NONE);
    TaskSet line = lines.get(key);
    if (line != null) {
      line.removeAll(job.spec().id());
      if (line.isEmpty()) {
        lines.remove(key);
      }
    }
    eachWaiting(job, this::leave); // some need more than the others and are in other lines
  }

  private static void eachWaiting(JobEntry job, Consumer<TaskRecord> what) {
    if (job.live() == 0) {
      return;
    }
    for (TaskRecord task = job.nextLive(0);
        task != null;
        task = job.nextLive(task.id().index() + 1)) {
      if (task.state() == TaskState.WAITING) {
        what.accept(task);
      }
    }
  }

  private void enterAll(JobEntry job) {
    if (job.base() == TaskState.WAITING) {
      enterUntouched(job);
    }
    if (job.live() > 0) {
      for (TaskRecord task = job.nextLive(0);
          task != null;
          task = job.nextLive(task.id().index() + 1)) {
        enter(task);
      }
    }
  }

  /** They wait in one line, which is looked for once. */
  private void enterUntouched(JobEntry job) {
    if (job.untouched() > 0) {
      TaskSet line =
          lines.computeIfAbsent(key(job.spec(), null, MemoryFloor.NONE), key -> new TaskSet());
      job.untouched((from, to) -> line.add(job.spec().id(), from, to));
    }
  }

  private void enter(TaskRecord task) {
    if (isDue(task)) {
      line(task).add(task.id());
    } else {
      enterElsewhere(task);
    }
  }

  private boolean isDue(TaskRecord task) {
    return task.state() == TaskState.WAITING
        && task.notBefore() - present <= 0
        && jobs.get(task.id().job()).base() == TaskState.WAITING;
  }

  private void enterElsewhere(TaskRecord task) {
    if (task.state() == TaskState.WAITING) {
      paused.add(new RetryPause(task.notBefore(), task.id()));
    } else if (task.state().holdsPlace()) {
      byNode.computeIfAbsent(task.place().node(), node -> new TreeSet<>()).add(task.id());
      versions.merge(task.place().node(), 1L, Long::sum);
      bySlot.computeIfAbsent(task.place().slot(), slot -> new TreeSet<>()).add(task.id());
      if (task.place().gpuMemory() == ResourceRequest.AUTO && task.state() != TaskState.UNKNOWN) {
        type(spec(task))
            .ifPresent(
                type -> measuring.computeIfAbsent(type, any -> new TreeSet<>()).add(task.id()));
      }
    }
  }

  private TaskSet line(TaskRecord task) {
    return lines.computeIfAbsent(key(task), key -> new TaskSet());
  }

  private void leave(TaskRecord task) {
    if (task.state() == TaskState.WAITING) {
      remove(lines, key(task), task.id());
    } else if (task.state().holdsPlace()) {
      remove(byNode, task.place().node(), task.id());
      versions.merge(task.place().node(), 1L, Long::sum);
      remove(bySlot, task.place().slot(), task.id());
      if (task.place().gpuMemory() == ResourceRequest.AUTO) {
        type(spec(task)).ifPresent(type -> remove(measuring, type, task.id()));
      }
    }
  }

  private static <K> void remove(Map<K, ? extends Collection<TaskId>> sets, K key, TaskId task) {
    Collection<TaskId> set = sets.get(key);
    if (set != null) {
      set.remove(task);
      if (set.isEmpty()) {
        sets.remove(key);
      }
    }
  }

  /** What a task has in common with others, where it waits or is placed. */
  TaskClass.SchedulingKey key(TaskRecord task) {
    return key(spec(task), task.place(), task.floor());
  }

  private TaskClass.SchedulingKey key(JobSpec spec, TaskRecord.Place place, MemoryFloor floor) {
    JobTerms terms = spec.terms();
    return new TaskClass.SchedulingKey(
        terms.priority(),
        spec.user(),
        needs(spec, place, floor),
        terms.policy(),
        terms.timeLimitMillis(),
        terms.gang() ? spec.id() : null,
        type(spec).orElse(null),
        !floor.isNone());
  }

  /** The tasks that hold a place on a node. */
  List<TaskRecord> at(String node) {
    Set<TaskId> ids = byNode.getOrDefault(node, Collections.emptyNavigableSet());
    List<TaskRecord> tasks = new ArrayList<>(ids.size());
    ids.forEach(id -> tasks.add(find(id)));
    return tasks;
  }

  /** Grows with every change of what {@link #at} says of the node. */
  long version(String node) {
    return versions.getOrDefault(node, 0L);
  }

  /** The tasks that have a slot one after the other, those first that were submitted first. */
  NavigableSet<TaskId> inSlot(long slot) {
    return bySlot.getOrDefault(slot, Collections.emptyNavigableSet());
  }

  /** The slots of a node, each once, with the first of its tasks. */
  Map<Long, TaskRecord> slots(String node) {
    Map<Long, TaskRecord> slots = new TreeMap<>();
    for (TaskRecord task : at(node)) {
      slots.putIfAbsent(task.place().slot(), task);
    }
    return slots;
  }

  /** The tasks that hold a place anywhere. */
  List<TaskRecord> placed() {
    List<TaskRecord> tasks = new ArrayList<>();
    byNode.keySet().forEach(node -> tasks.addAll(at(node)));
    return tasks;
  }

  /** What waits and may be placed now. */
  Map<TaskClass.SchedulingKey, TaskSet> lines(long now) {
    come(now);
    while (!paused.isEmpty() && paused.peek().until() - now <= 0) {
      TaskRecord task = find(paused.poll().task());
      if (task != null && isDue(task)) {
        line(task).add(task.id());
      }
    }
    return lines;
  }

  /** From now to the first moment at which a task that is not in a line may be placed. */
  Duration nextPause(long now) {
    return paused.isEmpty()
        ? Duration.ofDays(1)
        : Duration.ofNanos(Math.max(0, paused.peek().until() - now));
  }
}
