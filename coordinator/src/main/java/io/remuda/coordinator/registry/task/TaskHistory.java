package io.remuda.coordinator.registry.task;

import io.remuda.agent.protocol.TaskEnd;

/**
 * What a task has behind it.
 *
 * @param attempts number of its attempts so far, which is the number of the newest
 * @param interruptions how often it ended without a result and was retried or is to be retried
 * @param crashes how often its process failed without a reported cause
 * @param cause of its last end, for people, or null
 * @param end how its last process ended, or null
 * @param floor minimum memory, known from failures with less
 */
public record TaskHistory(
    int attempts, int interruptions, int crashes, String cause, TaskEnd end, MemoryFloor floor) {

  /** The history of a task that has not been placed. */
  public static final TaskHistory NONE = new TaskHistory(0, 0, 0, null, null, MemoryFloor.NONE);

  TaskHistory because(String why) {
    return new TaskHistory(attempts, interruptions, crashes, why, end, floor);
  }

  TaskHistory withAttempt() {
    return new TaskHistory(attempts + 1, interruptions, crashes, cause, end, floor);
  }

  /** Returns the history after the end of a process; {@code why} is for people. */
  TaskHistory withEnd(TaskEnd how, String why) {
    return new TaskHistory(attempts, interruptions, crashes, why, how, floor);
  }

  /** Returns the history after an end without a result. */
  TaskHistory interrupted(TaskEnd how) {
    int worse = crashes + (how.isCrash() ? 1 : 0);
    return new TaskHistory(attempts, interruptions + 1, worse, how.cause(), how, floor);
  }

  /** Returns the history after the task ran out of memory and needs {@code more}. */
  TaskHistory outOfMemory(TaskEnd how, MemoryFloor more) {
    return new TaskHistory(attempts, interruptions, crashes, how.cause(), how, more);
  }
}
