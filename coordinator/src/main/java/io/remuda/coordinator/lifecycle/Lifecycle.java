package io.remuda.coordinator.lifecycle;

import static io.remuda.coordinator.lifecycle.TaskState.CANCELLED;
import static io.remuda.coordinator.lifecycle.TaskState.ENDING;
import static io.remuda.coordinator.lifecycle.TaskState.FAILED;
import static io.remuda.coordinator.lifecycle.TaskState.HELD;
import static io.remuda.coordinator.lifecycle.TaskState.LOST;
import static io.remuda.coordinator.lifecycle.TaskState.RUNNING;
import static io.remuda.coordinator.lifecycle.TaskState.STARTING;
import static io.remuda.coordinator.lifecycle.TaskState.SUBMITTED;
import static io.remuda.coordinator.lifecycle.TaskState.SUCCEEDED;
import static io.remuda.coordinator.lifecycle.TaskState.UNKNOWN;
import static io.remuda.coordinator.lifecycle.TaskState.WAITING;
import static io.remuda.coordinator.lifecycle.TaskTrigger.BROKE;
import static io.remuda.coordinator.lifecycle.TaskTrigger.CANCEL;
import static io.remuda.coordinator.lifecycle.TaskTrigger.FINISHED;
import static io.remuda.coordinator.lifecycle.TaskTrigger.GONE;
import static io.remuda.coordinator.lifecycle.TaskTrigger.GONE_OVERDUE;
import static io.remuda.coordinator.lifecycle.TaskTrigger.HOLD;
import static io.remuda.coordinator.lifecycle.TaskTrigger.INTERRUPTED;
import static io.remuda.coordinator.lifecycle.TaskTrigger.INTERRUPTED_TOO_OFTEN;
import static io.remuda.coordinator.lifecycle.TaskTrigger.NODE_SILENT;
import static io.remuda.coordinator.lifecycle.TaskTrigger.NOT_GONE;
import static io.remuda.coordinator.lifecycle.TaskTrigger.OVERDUE;
import static io.remuda.coordinator.lifecycle.TaskTrigger.PLACED;
import static io.remuda.coordinator.lifecycle.TaskTrigger.READY;
import static io.remuda.coordinator.lifecycle.TaskTrigger.REFUSED;
import static io.remuda.coordinator.lifecycle.TaskTrigger.RELEASE;
import static io.remuda.coordinator.lifecycle.TaskTrigger.SEEN_RUNNING;
import static io.remuda.coordinator.lifecycle.TaskTrigger.SEEN_STARTING;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** All transitions of a task, as rows. The diagram in docs/lifecycle.md is made from them. */
public final class Lifecycle {

  /** A transition: in state {@code from}, {@code trigger} leads to {@code to}. */
  public record Row(TaskState from, TaskTrigger trigger, TaskState to) {}

  public static final List<Row> ROWS =
      List.of(
          new Row(SUBMITTED, READY, WAITING),
          new Row(SUBMITTED, HOLD, HELD),
          new Row(SUBMITTED, CANCEL, CANCELLED),
          new Row(HELD, RELEASE, SUBMITTED),
          new Row(HELD, CANCEL, CANCELLED),
          new Row(WAITING, HOLD, HELD),
          new Row(WAITING, PLACED, STARTING),
          new Row(WAITING, CANCEL, CANCELLED),
          new Row(STARTING, SEEN_RUNNING, RUNNING),
          new Row(STARTING, REFUSED, WAITING),
          new Row(STARTING, NODE_SILENT, UNKNOWN),
          new Row(STARTING, NOT_GONE, UNKNOWN),
          new Row(STARTING, INTERRUPTED, WAITING),
          new Row(STARTING, INTERRUPTED_TOO_OFTEN, LOST),
          new Row(STARTING, FINISHED, SUCCEEDED),
          new Row(STARTING, BROKE, FAILED),
          new Row(STARTING, CANCEL, ENDING),
          new Row(RUNNING, NODE_SILENT, UNKNOWN),
          new Row(RUNNING, NOT_GONE, UNKNOWN),
          new Row(RUNNING, INTERRUPTED, WAITING),
          new Row(RUNNING, INTERRUPTED_TOO_OFTEN, LOST),
          new Row(RUNNING, FINISHED, SUCCEEDED),
          new Row(RUNNING, BROKE, FAILED),
          new Row(RUNNING, CANCEL, ENDING),
          new Row(RUNNING, OVERDUE, ENDING),
          new Row(UNKNOWN, SEEN_RUNNING, RUNNING),
          new Row(UNKNOWN, SEEN_STARTING, STARTING),
          new Row(UNKNOWN, NOT_GONE, UNKNOWN),
          new Row(UNKNOWN, REFUSED, WAITING),
          new Row(UNKNOWN, INTERRUPTED, WAITING),
          new Row(UNKNOWN, INTERRUPTED_TOO_OFTEN, LOST),
          new Row(UNKNOWN, FINISHED, SUCCEEDED),
          new Row(UNKNOWN, BROKE, FAILED),
          new Row(UNKNOWN, CANCEL, ENDING),
          new Row(ENDING, REFUSED, WAITING),
          new Row(ENDING, NODE_SILENT, ENDING),
          new Row(ENDING, NOT_GONE, ENDING),
          new Row(ENDING, GONE, CANCELLED),
          new Row(ENDING, GONE_OVERDUE, FAILED));

  private static final Map<TaskState, Map<TaskTrigger, TaskState>> NEXT =
      new EnumMap<>(TaskState.class);

  static {
    for (Row row : ROWS) {
      NEXT.computeIfAbsent(row.from(), from -> new EnumMap<>(TaskTrigger.class))
          .put(row.trigger(), row.to());
    }
  }

  private Lifecycle() {}

  /** Returns the state that {@code trigger} leads to, empty if it has no effect in {@code from}. */
  public static Optional<TaskState> next(TaskState from, TaskTrigger trigger) {
    return Optional.ofNullable(NEXT.getOrDefault(from, Map.of()).get(trigger));
  }
}
