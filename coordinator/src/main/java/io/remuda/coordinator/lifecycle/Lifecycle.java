package io.remuda.coordinator.lifecycle;

import static io.remuda.coordinator.lifecycle.TaskState.CANCELLED;
import static io.remuda.coordinator.lifecycle.TaskState.ENDING;
import static io.remuda.coordinator.lifecycle.TaskState.FAILED;
import static io.remuda.coordinator.lifecycle.TaskState.HELD;
import static io.remuda.coordinator.lifecycle.TaskState.LOST;
import static io.remuda.coordinator.lifecycle.TaskState.RUNNING;
import static io.remuda.coordinator.lifecycle.TaskState.STARTING;
import static io.remuda.coordinator.lifecycle.TaskState.STOPPING;
import static io.remuda.coordinator.lifecycle.TaskState.SUBMITTED;
import static io.remuda.coordinator.lifecycle.TaskState.SUCCEEDED;
import static io.remuda.coordinator.lifecycle.TaskState.UNKNOWN;
import static io.remuda.coordinator.lifecycle.TaskState.WAITING;
import static io.remuda.coordinator.lifecycle.TaskTrigger.BROKE;
import static io.remuda.coordinator.lifecycle.TaskTrigger.CANCEL;
import static io.remuda.coordinator.lifecycle.TaskTrigger.EPOCH_DONE;
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
import static io.remuda.coordinator.lifecycle.TaskTrigger.PREEMPT;
import static io.remuda.coordinator.lifecycle.TaskTrigger.PREEMPTED;
import static io.remuda.coordinator.lifecycle.TaskTrigger.READY;
import static io.remuda.coordinator.lifecycle.TaskTrigger.REFUSED;
import static io.remuda.coordinator.lifecycle.TaskTrigger.RELEASE;
import static io.remuda.coordinator.lifecycle.TaskTrigger.SEEN_RUNNING;
import static io.remuda.coordinator.lifecycle.TaskTrigger.SEEN_STARTING;
import static io.remuda.coordinator.lifecycle.TaskTrigger.START_AGAIN;
import static io.remuda.coordinator.lifecycle.TransitionAction.BEGIN_SHARING;
import static io.remuda.coordinator.lifecycle.TransitionAction.END;
import static io.remuda.coordinator.lifecycle.TransitionAction.FREE_PLACE;
import static io.remuda.coordinator.lifecycle.TransitionAction.HEAR_NODE;
import static io.remuda.coordinator.lifecycle.TransitionAction.REJOIN;
import static io.remuda.coordinator.lifecycle.TransitionAction.TAKE_PLACE;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** All transitions of a task, as rows. The diagram in docs/lifecycle.md is made from them. */
public final class Lifecycle {

  /**
   * A transition: in state {@code from}, {@code trigger} leads to {@code to}.
   *
   * @param actions what else happens, in this order
   */
  public record Row(
      TaskState from, TaskTrigger trigger, TaskState to, List<TransitionAction> actions) {
    public Row {
      actions = List.copyOf(actions);
    }

    private Row(TaskState from, TaskTrigger trigger, TaskState to, TransitionAction... actions) {
      this(from, trigger, to, List.of(actions));
    }

    /** Returns whether this happens with the transition. */
    public boolean does(TransitionAction action) {
      return actions.contains(action);
    }
  }

  public static final List<Row> ROWS =
      List.of(
          new Row(SUBMITTED, READY, WAITING),
          new Row(SUBMITTED, HOLD, HELD),
          new Row(SUBMITTED, CANCEL, CANCELLED, END),
          new Row(HELD, RELEASE, SUBMITTED),
          new Row(HELD, CANCEL, CANCELLED, END),
          new Row(HELD, OVERDUE, FAILED, END),
          new Row(WAITING, HOLD, HELD),
          new Row(WAITING, PLACED, STARTING, TAKE_PLACE),
          new Row(WAITING, CANCEL, CANCELLED, END),
          new Row(WAITING, OVERDUE, FAILED, END),
          new Row(STARTING, SEEN_RUNNING, RUNNING, BEGIN_SHARING),
          new Row(STARTING, REFUSED, WAITING, FREE_PLACE, REJOIN),
          new Row(STARTING, NODE_SILENT, UNKNOWN),
          new Row(STARTING, NOT_GONE, UNKNOWN),
          new Row(STARTING, INTERRUPTED, WAITING, FREE_PLACE, REJOIN),
          new Row(STARTING, INTERRUPTED_TOO_OFTEN, LOST, FREE_PLACE, END),
          new Row(STARTING, FINISHED, SUCCEEDED, FREE_PLACE, END),
          new Row(STARTING, BROKE, FAILED, FREE_PLACE, END),
          new Row(STARTING, PREEMPT, STOPPING),
          new Row(STARTING, CANCEL, ENDING),
          new Row(STARTING, OVERDUE, ENDING),
          new Row(RUNNING, EPOCH_DONE, RUNNING),
          new Row(RUNNING, NODE_SILENT, UNKNOWN),
          new Row(RUNNING, NOT_GONE, UNKNOWN),
          new Row(RUNNING, INTERRUPTED, WAITING, FREE_PLACE, REJOIN),
          new Row(RUNNING, INTERRUPTED_TOO_OFTEN, LOST, FREE_PLACE, END),
          new Row(RUNNING, FINISHED, SUCCEEDED, FREE_PLACE, END),
          new Row(RUNNING, BROKE, FAILED, FREE_PLACE, END),
          new Row(RUNNING, PREEMPT, STOPPING),
          new Row(RUNNING, CANCEL, ENDING),
          new Row(RUNNING, OVERDUE, ENDING),
          new Row(UNKNOWN, SEEN_RUNNING, RUNNING, HEAR_NODE, BEGIN_SHARING),
          new Row(UNKNOWN, SEEN_STARTING, STARTING, HEAR_NODE),
          new Row(UNKNOWN, NOT_GONE, UNKNOWN),
          new Row(UNKNOWN, REFUSED, WAITING, FREE_PLACE, REJOIN),
          new Row(UNKNOWN, INTERRUPTED, WAITING, FREE_PLACE, REJOIN),
          new Row(UNKNOWN, INTERRUPTED_TOO_OFTEN, LOST, FREE_PLACE, END),
          new Row(UNKNOWN, FINISHED, SUCCEEDED, FREE_PLACE, END),
          new Row(UNKNOWN, BROKE, FAILED, FREE_PLACE, END),
          new Row(UNKNOWN, CANCEL, ENDING),
          new Row(UNKNOWN, OVERDUE, ENDING),
          new Row(STOPPING, EPOCH_DONE, STOPPING),
          new Row(STOPPING, REFUSED, WAITING, FREE_PLACE, REJOIN),
          new Row(STOPPING, NODE_SILENT, STOPPING),
          new Row(STOPPING, NOT_GONE, STOPPING),
          new Row(STOPPING, PREEMPTED, WAITING, FREE_PLACE, REJOIN),
          new Row(STOPPING, INTERRUPTED, WAITING, FREE_PLACE, REJOIN),
          new Row(STOPPING, FINISHED, SUCCEEDED, FREE_PLACE, END),
          new Row(STOPPING, BROKE, FAILED, FREE_PLACE, END),
          new Row(STOPPING, CANCEL, ENDING),
          new Row(STOPPING, OVERDUE, ENDING),
          new Row(ENDING, REFUSED, WAITING, FREE_PLACE, REJOIN),
          new Row(ENDING, NODE_SILENT, ENDING),
          new Row(ENDING, NOT_GONE, ENDING),
          new Row(ENDING, FINISHED, SUCCEEDED, FREE_PLACE, END),
          new Row(ENDING, BROKE, FAILED, FREE_PLACE, END),
          new Row(ENDING, GONE, CANCELLED, FREE_PLACE, END),
          new Row(ENDING, GONE_OVERDUE, FAILED, FREE_PLACE, END),
          new Row(SUCCEEDED, START_AGAIN, WAITING));

  private static final Map<TaskState, Map<TaskTrigger, Row>> NEXT = new EnumMap<>(TaskState.class);

  static {
    for (Row row : ROWS) {
      NEXT.computeIfAbsent(row.from(), from -> new EnumMap<>(TaskTrigger.class))
          .put(row.trigger(), row);
    }
  }

  private Lifecycle() {}

  /** Returns what {@code trigger} does; empty if it has no effect in {@code from}. */
  public static Optional<Row> row(TaskState from, TaskTrigger trigger) {
    return Optional.ofNullable(NEXT.getOrDefault(from, Map.of()).get(trigger));
  }

  /** Returns the state that {@code trigger} leads to, empty if it has no effect in {@code from}. */
  public static Optional<TaskState> next(TaskState from, TaskTrigger trigger) {
    return row(from, trigger).map(Row::to);
  }
}
