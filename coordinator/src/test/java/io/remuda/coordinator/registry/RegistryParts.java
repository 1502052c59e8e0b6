package io.remuda.coordinator.registry;

import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.lifecycle.TaskTrigger;
import io.remuda.coordinator.profile.Profiles;
import io.remuda.coordinator.registry.forecast.RecentDurations;
import io.remuda.coordinator.registry.policy.FailingNodes;
import io.remuda.coordinator.registry.policy.FairShareUsage;
import io.remuda.coordinator.registry.policy.RetryPolicy;
import io.remuda.coordinator.registry.task.PendingTask;
import io.remuda.coordinator.registry.task.Place;
import io.remuda.coordinator.registry.task.PlacedTask;
import io.remuda.coordinator.registry.task.TaskRecord;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobSpec;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.TaskId;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * The parts of a task registry, of which a test tries one. There is no scheduler: the test says
 * where tasks are, and in which state. It is always the same moment, unless the test says another.
 */
final class RegistryParts {

  /** The present, on the monotonic clock in nanoseconds. */
  static final long NOW = Duration.ofMinutes(1).toNanos();

  static final RetryPolicy RETRY = TestCluster.PATIENT;

  final JobBuilder jobs = new JobBuilder().commands();
  final TaskTable table;
  final TaskTransitions transitions;
  final OfferCache offers;
  final ProfileUpdates profileUpdates;
  final RecentDurations durations = new RecentDurations(Duration.ofSeconds(1));
  final FailingNodes failingNodes = new FailingNodes(RETRY.avoidance());
  private long slots;

  RegistryParts() {
    Profiles profiles = new Profiles();
    CoLocationTimeMeter coLocation = new CoLocationTimeMeter();
    table = new TaskTable(profiles, NOW);
    transitions =
        new TaskTransitions(table, new FairShareUsage(Duration.ofDays(1), NOW), coLocation);
    offers = new OfferCache(table);
    profileUpdates = new ProfileUpdates(table, profiles, offers, coLocation);
  }

  /** A job whose tasks need a core each and wait for a place. */
  RegistryParts job(long id, int size) {
    return job(jobs.spec(id, size, new ResourceRequest(1, 0)));
  }

  RegistryParts job(JobSpec spec) {
    table.add(new JobEntry(spec, TaskState.WAITING, NOW), NOW);
    return this;
  }

  /** These tasks are placed on a node, each with these devices; nothing of them runs yet. */
  RegistryParts starting(String node, List<String> devices, String... tasks) {
    for (String task : tasks) {
      List<DeviceId> lent = devices.stream().map(DeviceId::new).toList();
      transitions.place(TaskId.parse(task), Place.at(node, lent, ++slots, 0), NOW);
      table.put(((PlacedTask) table.find(TaskId.parse(task))).orderedIn(1));
    }
    return this;
  }

  RegistryParts starting(String node, String... tasks) {
    return starting(node, List.of(), tasks);
  }

  /** These tasks are placed on a node and run. */
  RegistryParts running(String node, String... tasks) {
    starting(node, tasks);
    for (String task : tasks) {
      transitions.fire(placed(task).runningSince(NOW), TaskTrigger.SEEN_RUNNING, NOW);
    }
    return this;
  }

  /** Applies a trigger to placed tasks, such as the one that their node is silent. */
  RegistryParts then(TaskTrigger trigger, String... tasks) {
    for (String task : tasks) {
      transitions.fire(placed(task), trigger, NOW);
    }
    return this;
  }

  TaskRecord task(String id) {
    return table.find(TaskId.parse(id));
  }

  /** A task that has a place. */
  PlacedTask placed(String id) {
    return (PlacedTask) task(id);
  }

  /** A task that waits, for another place or for its first one. */
  PendingTask pending(String id) {
    return (PendingTask) task(id);
  }

  TaskState state(String id) {
    return task(id).state();
  }

  List<TaskState> states(String... tasks) {
    return Stream.of(tasks).map(this::state).toList();
  }

  /** The state of a job's tasks that have no record of their own. */
  TaskState base(long job) {
    return table.job(new JobId(job)).base();
  }
}
