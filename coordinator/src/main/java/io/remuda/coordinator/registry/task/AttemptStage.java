package io.remuda.coordinator.registry.task;

import io.remuda.coordinator.lifecycle.EndReason;
import io.remuda.worker.protocol.WorkerEvent;

/**
 * How far a placed attempt is. Times are nanoseconds of one monotonic clock.
 *
 * @param sinceRevision first revision of the node's desired state that contains the attempt; once
 *     it is to end, the first that does not
 * @param silentSince when the node fell silent; 0 if it has not
 * @param runningSince when its process was first seen; 0 if it was not
 * @param ending why it is being ended, if it is
 * @param outcome the worker's result event of this attempt, or null
 * @param lastSequence number of the last event accepted from this attempt's worker
 * @param savedAt when its training was last known to have ended an epoch; 0 if it was not
 * @param notStarted why its node has not started it for long, for people; null if that is not known
 */
public record AttemptStage(
    long sinceRevision,
    long silentSince,
    long runningSince,
    EndReason ending,
    WorkerEvent outcome,
    long lastSequence,
    long savedAt,
    String notStarted) {

  /** Creates the progress of an attempt that has just been placed. */
  static AttemptStage orderedIn(long revision) {
    return new AttemptStage(revision, 0, 0, EndReason.ON_REQUEST, null, 0, 0, null);
  }

  /** Creates the progress of an attempt that an earlier coordinator has placed. */
  public static AttemptStage restored(
      long sinceRevision, long silentSince, long runningSince, EndReason ending, long savedAt) {
    return new AttemptStage(
        sinceRevision, silentSince, runningSince, ending, null, 0, savedAt, null);
  }

  AttemptStage ordered(long revision) {
    return new AttemptStage(
        revision, silentSince, runningSince, ending, outcome, lastSequence, savedAt, notStarted);
  }

  AttemptStage silent(long since) {
    return new AttemptStage(
        sinceRevision, since, runningSince, ending, outcome, lastSequence, savedAt, notStarted);
  }

  AttemptStage running(long since) {
    return new AttemptStage(
        sinceRevision, silentSince, since, ending, outcome, lastSequence, savedAt, null);
  }

  AttemptStage ending(EndReason why) {
    return new AttemptStage(
        sinceRevision, silentSince, runningSince, why, outcome, lastSequence, savedAt, notStarted);
  }

  AttemptStage heard(long sequence, WorkerEvent event) {
    WorkerEvent last = event.isLast() ? event : outcome;
    return new AttemptStage(
        sinceRevision, silentSince, runningSince, ending, last, sequence, savedAt, notStarted);
  }

  AttemptStage saved(long at) {
    return new AttemptStage(
        sinceRevision, silentSince, runningSince, ending, outcome, lastSequence, at, notStarted);
  }

  AttemptStage notStarted(String why) {
    return new AttemptStage(
        sinceRevision, silentSince, runningSince, ending, outcome, lastSequence, savedAt, why);
  }
}
