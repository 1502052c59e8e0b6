package io.remuda.coordinator.registry;

import io.remuda.agent.protocol.TaskEnd;
import io.remuda.agent.protocol.TaskPhase;
import io.remuda.agent.protocol.TaskReport;
import io.remuda.worker.job.AttemptId;

/** What nodes report of attempts. */
final class TaskReports {

  private TaskReports() {}

  static TaskReport starting(String attempt) {
    return new TaskReport(AttemptId.parse(attempt), TaskPhase.STARTING, 0, null, null);
  }

  static TaskReport running(String attempt) {
    return new TaskReport(AttemptId.parse(attempt), TaskPhase.RUNNING, 4711, null, null);
  }

  static TaskReport ending(String attempt) {
    return new TaskReport(AttemptId.parse(attempt), TaskPhase.ENDING, 4711, null, null);
  }

  /** Something of it is left that the node cannot end. */
  static TaskReport stuck(String attempt, String why) {
    return new TaskReport(
        AttemptId.parse(attempt),
        TaskPhase.ENDING,
        0,
        null,
        TaskEnd.because(TaskEnd.Kind.NOT_GONE, why));
  }

  /** It ended after it was asked to. */
  static TaskReport left(String attempt) {
    return ended(
        attempt,
        new TaskEnd(TaskEnd.Kind.ON_REQUEST, 0, null, "no longer wanted", null, null, null));
  }

  static TaskReport killed(String attempt) {
    return ended(
        attempt, new TaskEnd(TaskEnd.Kind.BY_ITSELF, null, 9, "signal 9", null, null, null));
  }

  static TaskReport terminated(String attempt) {
    return ended(
        attempt, new TaskEnd(TaskEnd.Kind.BY_ITSELF, null, 15, "signal 15", null, null, null));
  }

  static TaskReport exited(String attempt, int code) {
    return ended(
        attempt,
        new TaskEnd(TaskEnd.Kind.BY_ITSELF, code, null, "exit code " + code, null, null, null));
  }

  /** A task that was killed because it took more of the machine's memory than it had stated. */
  static TaskReport tookMore(String attempt) {
    return ended(
        attempt,
        new TaskEnd(
            TaskEnd.Kind.BY_ITSELF,
            null,
            9,
            "took more than its --mem",
            null,
            null,
            1000L,
            null,
            TaskEnd.Shortage.HOST));
  }

  /** A task that exited with 0 after so many milliseconds. */
  static TaskReport exitedAfter(String attempt, long millis) {
    return ended(
        attempt, new TaskEnd(TaskEnd.Kind.BY_ITSELF, 0, null, "exit code 0", null, null, millis));
  }

  /** A task that was ended on request after so many milliseconds. */
  static TaskReport leftAfter(String attempt, long millis) {
    return ended(
        attempt,
        new TaskEnd(TaskEnd.Kind.ON_REQUEST, null, 15, "no longer wanted", null, null, millis));
  }

  /** An attempt whose slot did not become free in time. */
  static TaskReport notBegun(String attempt) {
    return refused(
        attempt, TaskEnd.because(TaskEnd.Kind.NOT_BEGUN, "its slot did not become free in time"));
  }

  private static TaskReport ended(String attempt, TaskEnd end) {
    return new TaskReport(AttemptId.parse(attempt), TaskPhase.ENDED, 0, null, end);
  }

  /** Another process holds its device. */
  static TaskReport refused(String attempt, String cause) {
    return refused(attempt, TaskEnd.because(TaskEnd.Kind.DEVICE_BUSY, cause));
  }

  static TaskReport cannotStart(String attempt, String cause) {
    return refused(attempt, TaskEnd.because(TaskEnd.Kind.CANNOT_START, cause));
  }

  static TaskReport refused(String attempt, TaskEnd end) {
    return new TaskReport(AttemptId.parse(attempt), TaskPhase.REFUSED, 0, null, end);
  }
}
