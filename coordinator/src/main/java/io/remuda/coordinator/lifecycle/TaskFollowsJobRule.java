package io.remuda.coordinator.lifecycle;

/** How a task with a record of its own follows the base state of its job. */
public final class TaskFollowsJobRule {

  private TaskFollowsJobRule() {}

  /** Returns the next trigger of a task in {@code state} towards {@code base}, or null. */
  public static TaskTrigger next(TaskState base, TaskState state) {
    return switch (base) {
      case CANCELLED -> state.isFinal() || state == TaskState.ENDING ? null : TaskTrigger.CANCEL;
      case HELD ->
          state == TaskState.WAITING || state == TaskState.SUBMITTED ? TaskTrigger.HOLD : null;
      case SUBMITTED -> state == TaskState.HELD ? TaskTrigger.RELEASE : null;
      case WAITING ->
          state == TaskState.HELD
              ? TaskTrigger.RELEASE
              : state == TaskState.SUBMITTED ? TaskTrigger.READY : null;
      default -> null;
    };
  }
}
