package io.remuda.coordinator.registry;

import io.remuda.agent.protocol.TaskEnd;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.TaskId;
import io.remuda.worker.protocol.WorkerEvent;
import java.util.List;

/**
 * A task as the coordinator knows it.
 *
 * @param attempt the newest, 0 before the first
 * @param place where the attempt is, or null
 * @param outcome the worker's last word in this attempt, or null
 * @param lastSequence of the worker's events that were taken in this attempt
 * @param interruptions how often it was interrupted from outside
 * @param crashes how often its process failed without saying why
 * @param notBefore when it may be placed again, on the monotonic clock in nanoseconds
 * @param cause of its last end, or null
 */
public record TaskRecord(
    TaskId id,
    TaskState state,
    int attempt,
    Place place,
    WorkerEvent outcome,
    long lastSequence,
    int interruptions,
    int crashes,
    long notBefore,
    String cause) {

  /**
   * Where an attempt is.
   *
   * @param sinceRevision the node's first order that holds the attempt
   * @param silentSince when the node fell silent, on the monotonic clock in nanoseconds; 0 if it
   *     has not
   */
  public record Place(String node, List<DeviceId> devices, long sinceRevision, long silentSince) {
    public Place {
      devices = List.copyOf(devices);
    }
  }

  static TaskRecord waiting(TaskId id, long now) {
    return new TaskRecord(id, TaskState.WAITING, 0, null, null, 0, 0, 0, now, null);
  }

  /** The newest attempt; there is one once the task was placed. */
  public AttemptId attemptId() {
    return new AttemptId(id, attempt);
  }

  TaskRecord placed(Place where) {
    return new TaskRecord(
        id,
        TaskState.STARTING,
        attempt + 1,
        where,
        null,
        0,
        interruptions,
        crashes,
        notBefore,
        cause);
  }

  TaskRecord in(TaskState next) {
    return new TaskRecord(
        id, next, attempt, place, outcome, lastSequence, interruptions, crashes, notBefore, cause);
  }

  TaskRecord silentSince(long now) {
    Place silent = new Place(place.node(), place.devices(), place.sinceRevision(), now);
    return new TaskRecord(
        id,
        state,
        attempt,
        silent,
        outcome,
        lastSequence,
        interruptions,
        crashes,
        notBefore,
        cause);
  }

  TaskRecord heard(long sequence, WorkerEvent event) {
    WorkerEvent last = event.isLast() ? event : outcome;
    return new TaskRecord(
        id, state, attempt, place, last, sequence, interruptions, crashes, notBefore, cause);
  }

  TaskRecord interrupted(TaskEnd end, long retryAt) {
    return new TaskRecord(
        id,
        state,
        attempt,
        place,
        outcome,
        lastSequence,
        interruptions + 1,
        crashes + (end.isCrash() ? 1 : 0),
        retryAt,
        end.cause());
  }

  TaskRecord because(String why) {
    return new TaskRecord(
        id, state, attempt, place, outcome, lastSequence, interruptions, crashes, notBefore, why);
  }

  TaskRecord delayed(long retryAt, String why) {
    return new TaskRecord(
        id, state, attempt, place, outcome, lastSequence, interruptions, crashes, retryAt, why);
  }

  TaskRecord withoutPlace() {
    return new TaskRecord(
        id, state, attempt, null, outcome, lastSequence, interruptions, crashes, notBefore, cause);
  }
}
