package io.remuda.coordinator.registry.task;

import io.remuda.agent.protocol.TaskEnd;
import io.remuda.worker.job.TrainingProgress;

/**
 * What a task has behind it.
 *
 * @param attempts number of its attempts so far, which is the number of the newest
 * @param interruptions how often it ended without a result and was retried or is to be retried
 * @param crashes how often its process failed without a reported cause
 * @param cause of its last end, for people, or null
 * @param end how its last process ended, or null
 * @param floor minimum memory, known from failures with less
 * @param preemptions how often it has left its place for another task or on request
 * @param lostMillis sum of its processes' run times that it did not save, in milliseconds
 * @param training how far it is, as it has told; null if it has told nothing
 * @param gpus number of GPUs for its next place, if that is not the requested one; 0 otherwise
 */
public record TaskAttemptSummary(
    int attempts,
    int interruptions,
    int crashes,
    String cause,
    TaskEnd end,
    MemoryFloor floor,
    int preemptions,
    long lostMillis,
    TrainingProgress training,
    int gpus) {

  /** The history of a task that has not been placed. */
  public static final TaskAttemptSummary NONE =
      new TaskAttemptSummary(0, 0, 0, null, null, MemoryFloor.NONE, 0, 0, null, 0);

  /** Returns the history of a task of which only the number of its attempts is known. */
  public static TaskAttemptSummary ofAttempts(int attempts) {
    return new TaskAttemptSummary(attempts, 0, 0, null, null, MemoryFloor.NONE, 0, 0, null, 0);
  }

  TaskAttemptSummary because(String why) {
    return new TaskAttemptSummary(
        attempts, interruptions, crashes, why, end, floor, preemptions, lostMillis, training, gpus);
  }

  TaskAttemptSummary withAttempt() {
    return new TaskAttemptSummary(
        attempts + 1,
        interruptions,
        crashes,
        cause,
        end,
        floor,
        preemptions,
        lostMillis,
        training == null ? null : training.leaving(false),
        gpus);
  }

  /** Returns the history after the end of a process; {@code why} is for people. */
  TaskAttemptSummary withEnd(TaskEnd how, String why) {
    return new TaskAttemptSummary(
        attempts, interruptions, crashes, why, how, floor, preemptions, lostMillis, training, gpus);
  }

  /** Returns the history after an end without a result. */
  TaskAttemptSummary interrupted(TaskEnd how) {
    int worse = crashes + (how.isCrash() ? 1 : 0);
    return new TaskAttemptSummary(
        attempts,
        interruptions + 1,
        worse,
        how.cause(),
        how,
        floor,
        preemptions,
        lostMillis,
        training,
        gpus);
  }

  /** Returns the history after the task ran out of memory and needs {@code more}. */
  TaskAttemptSummary outOfMemory(TaskEnd how, MemoryFloor more) {
    return new TaskAttemptSummary(
        attempts,
        interruptions,
        crashes,
        how.cause(),
        how,
        more,
        preemptions,
        lostMillis,
        training,
        gpus);
  }

  /**
   * Returns the history after it has left its place.
   *
   * @param millis that its process ran, all of which counts as lost
   */
  TaskAttemptSummary preempted(TaskEnd how, String why, long millis) {
    return new TaskAttemptSummary(
        attempts,
        interruptions,
        crashes,
        why,
        how,
        floor,
        preemptions + 1,
        lostMillis + millis,
        training,
        gpus);
  }

  /** Returns the history after a training has told how far it is. */
  TaskAttemptSummary trained(TrainingProgress told) {
    return new TaskAttemptSummary(
        attempts, interruptions, crashes, cause, end, floor, preemptions, lostMillis, told, gpus);
  }

  /** Returns the history with another number of GPUs for its next place; 0 for the requested. */
  public TaskAttemptSummary withGpus(int count) {
    return new TaskAttemptSummary(
        attempts,
        interruptions,
        crashes,
        cause,
        end,
        floor,
        preemptions,
        lostMillis,
        training,
        count);
  }
}
