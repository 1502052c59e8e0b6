package io.remuda.coordinator.commit;

import io.remuda.coordinator.registry.RestoredJob;
import io.remuda.coordinator.registry.TaskRegistry;
import io.remuda.coordinator.registry.task.AttemptStage;
import io.remuda.coordinator.registry.task.EndedTasks;
import io.remuda.coordinator.registry.task.MemoryFloor;
import io.remuda.coordinator.registry.task.Place;
import io.remuda.coordinator.registry.task.PlacedTask;
import io.remuda.coordinator.registry.task.TaskAttemptSummary;
import io.remuda.coordinator.registry.task.TaskRecord;
import io.remuda.coordinator.store.StoreState;
import io.remuda.coordinator.store.row.JobRow;
import io.remuda.coordinator.store.row.TaskRow;
import java.util.List;
import java.util.Set;

/** Fills a registry with the state from a store. */
public final class RegistryRestore {

  private RegistryRestore() {}

  /**
   * @param wallMillis current time in milliseconds since 1970
   * @param now current time on the monotonic clock in nanoseconds
   */
  public static void into(TaskRegistry tasks, StoreState state, long wallMillis, long now) {
    state.users().forEach(user -> tasks.shares().share(user.name(), user.share()));
    state.users().forEach(user -> tasks.userUse().limit(user.name(), user.limits()));
    state.used().forEach(tasks.shares()::restore);
    tasks.restoreProfiles(state.profiles());
    tasks.placeIn(state.birth());
    EndedTasks none = new EndedTasks(); // most of a hundred thousand jobs have no task that ended
    for (StoreState.LiveJob job : state.jobs()) {
      JobRow row = job.row();
      List<TaskRow> touched = state.tasks().get(row.id());
      List<TaskRecord> changed =
          touched == null
              ? List.of()
              : touched.stream().map(task -> record(task, wallMillis, now)).toList();
      tasks.restore(
          new RestoredJob(
              job.spec(),
              Set.copyOf(row.open()),
              row.first(),
              row.reason(),
              changed,
              state.ended().getOrDefault(row.id(), none),
              row.gang(),
              now - Math.max(0, wallMillis - row.submitted()) * 1_000_000,
              row.started() == 0
                  ? null
                  : Long.valueOf(now - Math.max(0, wallMillis - row.started()) * 1_000_000)),
          now);
    }
  }

  /**
   * Returns when the newest attempt ended an epoch, by its node's clock; 0 if it has not. If that
   * clock is behind, the current epoch seems longer than it is until it ends.
   */
  private static long savedAt(TaskRow row, long wallMillis, long now) {
    long ended = row.training() == null ? 0 : row.training().endedAt();
    return row.started() == 0 || ended <= row.started()
        ? 0
        : now - Math.max(0, wallMillis - ended) * 1_000_000;
  }

  private static TaskRecord record(TaskRow row, long wallMillis, long now) {
    TaskAttemptSummary history =
        new TaskAttemptSummary(
            row.attempt(),
            row.interruptions(),
            row.crashes(),
            row.cause(),
            row.end(),
            new MemoryFloor(row.gpuFloor(), row.memoryFloor()),
            row.preemptions(),
            row.lostMillis(),
            row.training(),
            row.gpus());
    if (!row.state().holdsPlace()) {
      return TaskRecord.unplaced(row.id(), row.state(), history, now);
    }
    long ran = Math.max(0, wallMillis - row.started()) * 1_000_000;
    AttemptStage progress =
        AttemptStage.restored(
            row.state().isLeaving() ? 0 : TaskRegistry.NOT_ORDERED,
            now,
            row.started() == 0 ? 0 : now - ran,
            row.ending(),
            savedAt(row, wallMillis, now));
    Place place = new Place(row.node(), row.devices(), row.slot(), row.gpuMemory(), row.tag());
    return new PlacedTask(row.id(), row.state(), history, place, progress, now);
  }
}
