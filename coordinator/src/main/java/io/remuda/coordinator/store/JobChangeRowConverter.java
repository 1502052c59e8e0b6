package io.remuda.coordinator.store;

import io.remuda.coordinator.lifecycle.EndReason;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.lifecycle.TaskTrigger;
import io.remuda.coordinator.profile.Profiles;
import io.remuda.coordinator.registry.LiveJob;
import io.remuda.coordinator.registry.TaskRegistry;
import io.remuda.coordinator.registry.task.PlacedTask;
import io.remuda.coordinator.registry.task.TaskAttemptSummary;
import io.remuda.coordinator.registry.task.TaskChange;
import io.remuda.coordinator.registry.task.TaskRecord;
import io.remuda.coordinator.store.row.EventLogEntry;
import io.remuda.coordinator.store.row.JobNotice;
import io.remuda.coordinator.store.row.JobRow;
import io.remuda.coordinator.store.row.NoticeRow;
import io.remuda.coordinator.store.row.RowMapping;
import io.remuda.coordinator.store.row.StoreChange;
import io.remuda.coordinator.store.row.TaskRow;
import io.remuda.coordinator.usage.UsageAccumulator;
import io.remuda.coordinator.usage.UsageKey;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.JobDependency;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobSpec;
import io.remuda.worker.job.TaskId;
import io.remuda.worker.job.TrainingProgress;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Converts changes of the registry into rows of tasks, jobs and events. Keeps the rows of live jobs
 * and the times of their tasks, which the registry does not have. Single-threaded.
 */
public final class JobChangeRowConverter {

  private final Clock clock;

  private record IdempotencyKey(String user, String key) {}

  /** Where the newest attempt is or was. */
  private record LastPlace(String node, List<DeviceId> devices, String tag) {
    static final LastPlace NOWHERE = new LastPlace(null, List.of(), "");
  }

  private final Map<JobId, JobRow> live = new HashMap<>();
  private final Map<IdempotencyKey, JobId> byKey = new HashMap<>();
  private final Map<TaskId, Long> started = new HashMap<>();
  private final Map<TaskId, LastPlace> places = new HashMap<>();
  private long nextEvent;
  private long nextJob;

  /**
   * @param state where the store left off
   * @param clock for the times in the rows
   */
  public JobChangeRowConverter(StoreState state, Clock clock) {
    this.clock = clock;
    this.nextEvent = state.nextEvent();
    this.nextJob = state.nextJob();
    state.jobs().forEach(job -> add(job.row()));
    state.tasks().values().stream()
        .flatMap(List::stream)
        .filter(task -> !task.state().isFinal())
        .forEach(this::remember);
  }

  /** Returns the time of the rows' clock in milliseconds since 1970. */
  public long wallMillis() {
    return clock.millis();
  }

  private void add(JobRow row) {
    live.put(row.id(), row);
    if (row.clientKey() != null) {
      byKey.put(new IdempotencyKey(row.user(), row.clientKey()), row.id());
    }
  }

  private void remember(TaskRow task) {
    places.put(task.id(), new LastPlace(task.node(), task.devices(), task.tag()));
    if (task.started() > 0) {
      started.put(task.id(), task.started());
    }
  }

  /**
   * Returns the number of a new job and uses it up, with those that follow.
   *
   * @param numbers how many, 1 or more
   */
  public JobId newId(int numbers) {
    JobId id = new JobId(nextJob);
    nextJob += numbers;
    return id;
  }

  /** Returns a live job's row. */
  public Optional<JobRow> row(JobId id) {
    return Optional.ofNullable(live.get(id));
  }

  /** Returns the live job that a user submitted with an idempotency key. */
  public Optional<JobId> byKey(String user, String key) {
    return Optional.ofNullable(byKey.get(new IdempotencyKey(user, key)));
  }

  /** Adds a new job and returns its rows. */
  public List<StoreChange> added(
      JobSpec job, TaskState first, List<JobDependency> open, String clientKey) {
    JobRow row = JobRow.submitted(job, first, open, clientKey, clock.millis());
    add(row);
    return List.of(
        new StoreChange.JobAdded(job, row),
        event(job.id().value(), -1, "job-submitted", Map.of("user", job.user())));
  }

  /** Returns the rows of a live job with other terms. */
  public List<StoreChange> respecified(JobSpec job) {
    return respecified(job, live.get(job.id()).named(job.name()));
  }

  /** Returns the rows of a live job that has other terms and so waits for something else. */
  public List<StoreChange> respecified(LiveJob job) {
    JobRow row = live.get(job.spec().id()).named(job.spec().name());
    List<JobDependency> open = List.copyOf(job.open());
    return respecified(job.spec(), row.moved(job.state(), job.base(), open, clock.millis()));
  }

  private List<StoreChange> respecified(JobSpec job, JobRow row) {
    live.put(job.id(), row);
    return List.of(
        new StoreChange.JobChanged(job, row),
        event(job.id().value(), -1, "job-changed", Map.of("user", job.user())));
  }

  /** Returns the row of an event. */
  public StoreChange event(long job, int task, String what, Map<String, ?> detail) {
    return new StoreChange.Happened(
        new EventLogEntry(nextEvent++, clock.millis(), job, task, what, RowMapping.json(detail)));
  }

  /**
   * Returns the rows for changes. Must be called right after them, while the registry still has the
   * jobs that they ended.
   */
  public List<StoreChange> changed(List<TaskChange> changes, TaskRegistry tasks) {
    long at = clock.millis();
    List<StoreChange> entries = new ArrayList<>(2 * changes.size() + 2);
    Set<JobId> jobs = new LinkedHashSet<>();
    for (TaskChange change : changes) {
      TaskId id = change.attempt().task();
      jobs.add(id.job());
      if (change.to() == TaskState.RUNNING) {
        started.putIfAbsent(id, at);
      } else if (change.trigger() == TaskTrigger.PLACED) {
        started.remove(id);
        places.put(id, new LastPlace(change.node(), change.devices(), change.attempt().tag()));
      }
      if (change.trigger() == TaskTrigger.START_AGAIN) {
        entries.add(new StoreChange.TaskReturned(id));
      }
      entries.add(
          change.isOfMany()
              ? event(id.job().value(), -1, "tasks-" + change.to().label(), detail(change))
              : event(id.job().value(), id.index(), what(change), detail(change)));
    }
    for (TaskId id : touched(changes)) {
      tasks
          .find(id)
          .filter(task -> task.attempt() > 0 || task.state().isFinal())
          .ifPresent(task -> entries.add(new StoreChange.TaskMoved(row(task, at))));
    }
    jobs.addAll(tasks.loosened());
    jobs.addAll(tasks.rebased());
    jobs.forEach(job -> moved(job, tasks, at, entries));
    changes.stream()
        .filter(change -> change.to().isFinal())
        .forEach(change -> forget(change.attempt().task()));
    return entries;
  }

  private static String what(TaskChange change) {
    return change.trigger() == TaskTrigger.EPOCH_DONE
        ? "task-epoch-done"
        : "task-" + change.to().label();
  }

  /** Returns what the one task of a training has told, or null. */
  private static TrainingProgress told(JobId id, TaskRegistry tasks) {
    return tasks
        .find(new TaskId(id, 0))
        .map(TaskRecord::history)
        .map(TaskAttemptSummary::training)
        .orElse(null);
  }

  private void forget(TaskId id) {
    started.remove(id);
    places.remove(id);
  }

  private static Set<TaskId> touched(List<TaskChange> changes) {
    Set<TaskId> tasks = new LinkedHashSet<>();
    changes.stream()
        .filter(change -> !change.isOfMany())
        .forEach(change -> tasks.add(change.attempt().task()));
    return tasks;
  }

  private static Map<String, Object> detail(TaskChange change) {
    Map<String, Object> detail = new LinkedHashMap<>();
    if (change.isOfMany()) {
      detail.put("tasks", change.tasks());
    } else {
      detail.put("attempt", change.attempt().attempt());
    }
    detail.put("from", change.from().label());
    if (change.node() != null) {
      detail.put("node", change.node());
    }
    if (change.cause() != null) {
      detail.put("cause", change.cause());
    }
    return detail;
  }

  /** Returns the rows for changed profiles. */
  public List<StoreChange> learned(List<Profiles.Change> profiles) {
    long at = clock.millis();
    return profiles.stream()
        .map(
            change ->
                change
                    .profile()
                    .<StoreChange>map(profile -> new StoreChange.ProfileSet(profile, at))
                    .orElseGet(() -> new StoreChange.ProfileForgotten(change.type())))
        .toList();
  }

  /** Returns the rows for what attempts used that have left their places. */
  public List<StoreChange> used(UsageAccumulator usage) {
    return usage.take(UsageKey.dayOf(clock.millis())).entrySet().stream()
        .<StoreChange>map(one -> new StoreChange.UsageAdded(one.getKey(), one.getValue()))
        .toList();
  }

  /** Returns when an attempt began; a short one may have ended before it was seen to run. */
  private long startOf(TaskRecord task, long at) {
    Long seen = started.get(task.id());
    boolean ran = task.state().isFinal() && task.end() != null && task.end().wallMillis() != null;
    return seen != null ? seen : ran ? at - task.end().wallMillis() : 0;
  }

  private TaskRow row(TaskRecord task, long at) {
    PlacedTask placed = task instanceof PlacedTask there ? there : null;
    LastPlace where = places.getOrDefault(task.id(), LastPlace.NOWHERE);
    return new TaskRow(
        task.id(),
        task.state(),
        task.attempt(),
        where.node(),
        where.devices(),
        startOf(task, at),
        task.state().isFinal() ? at : 0,
        task.interruptions(),
        task.crashes(),
        placed == null ? EndReason.ON_REQUEST : placed.progress().ending(),
        task.cause(),
        task.end(),
        placed == null ? 0 : placed.place().slot(),
        placed == null ? 0 : placed.place().gpuMemory(),
        task.floor().gpuMemory(),
        task.floor().memory(),
        where.tag(),
        task.preemptions(),
        task.history().lostMillis(),
        task.history().training(),
        task.history().gpus());
  }

  private void moved(JobId id, TaskRegistry tasks, long at, List<StoreChange> entries) {
    JobRow before = live.get(id);
    LiveJob job = tasks.live(id).orElse(null);
    if (before == null || job == null) {
      return;
    }
    TaskState state = job.state();
    TaskState first = job.base();
    List<JobDependency> open = List.copyOf(job.open());
    JobRow row =
        before.epochs() == null
            ? before.moved(state, first, open, at)
            : before.moved(state, first, open, at).trained(told(id, tasks), at);
    row = row.started(job.gangStart());
    if (job.spec().terms().jobTimeLimitMillis() > 0) {
      row = row.begun(!job.hasBegun() ? 0 : before.started() > 0 ? before.started() : at);
    }
    boolean same = state == before.state() && open.equals(before.open()) && first == before.first();
    same &= row.started() == before.started();
    if (same && Objects.equals(row.epochs(), before.epochs()) && row.gang().equals(before.gang())) {
      return;
    }
    if (state.isFinal()) {
      row = row.because(job.reason(state), job.exitCode());
      live.remove(id);
      byKey.remove(new IdempotencyKey(row.user(), row.clientKey()), id);
      entries.add(event(id.value(), -1, "job-" + state.label(), Map.of()));
    } else {
      row = row.because(job.why(), null); // a restart restores the base state's reason
      live.put(id, row);
    }
    entries.add(new StoreChange.JobMoved(row));
    JobNotice notice = JobNotice.of(job.spec().terms().notice(), before, row, at);
    if (notice != null) {
      entries.add(new StoreChange.NoticeDue(new NoticeRow(nextEvent++, RowMapping.json(notice))));
    }
  }
}
