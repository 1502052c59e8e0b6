package io.remuda.coordinator.registry.task;

import io.remuda.agent.protocol.TaskEnd;
import io.remuda.coordinator.lifecycle.EndReason;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.TaskId;
import io.remuda.worker.job.TrainingProgress;
import io.remuda.worker.protocol.WorkerEvent;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * A task whose newest attempt holds a place on a node.
 *
 * @param retryAt when it may be placed again if it returns without a result, on the monotonic clock
 *     in nanoseconds
 */
public record PlacedTask(
    TaskId id,
    TaskState state,
    TaskAttemptSummary history,
    Place place,
    AttemptStage progress,
    long retryAt)
    implements TaskRecord {

  private static final String NOTE = "; ";
  private static final Set<TaskEnd.Kind> NOTES =
      Set.of(TaskEnd.Kind.NOT_GONE, TaskEnd.Kind.NODE_GONE);

  public PlacedTask {
    if (!state.holdsPlace()) {
      throw new IllegalArgumentException("task " + id + " has no place: " + state);
    }
  }

  @Override
  public AttemptId attemptId() {
    return new AttemptId(id, attempt(), place.tag());
  }

  @Override
  public PlacedTask with(TaskAttemptSummary other) {
    return new PlacedTask(id, state, other, place, progress, retryAt);
  }

  private PlacedTask with(AttemptStage other) {
    return new PlacedTask(id, state, history, place, other, retryAt);
  }

  private PlacedTask retriedAt(long time) {
    return new PlacedTask(id, state, history, place, progress, time);
  }

  /** Returns the record in another state; outside of a place it keeps only its history. */
  public TaskRecord in(TaskState next) {
    return next.holdsPlace()
        ? new PlacedTask(id, next, history, place, progress, retryAt)
        : TaskRecord.unplaced(id, next, history, retryAt);
  }

  public PlacedTask inSlot(long slot) {
    return new PlacedTask(id, state, history, place.inSlot(slot), progress, retryAt);
  }

  public PlacedTask orderedIn(long revision) {
    return with(progress.ordered(revision));
  }

  public PlacedTask silentSince(long now) {
    return with(progress.silent(now));
  }

  public PlacedTask runningSince(long now) {
    return with(progress.running(now));
  }

  /** Returns the record with why its node has not started it for long; null for nothing. */
  public PlacedTask notStarted(String why) {
    return Objects.equals(why, progress.notStarted()) ? this : with(progress.notStarted(why));
  }

  public PlacedTask pastLimit(String why) {
    return with(progress.ending(EndReason.OVERDUE)).because(why);
  }

  public PlacedTask stopped(String why) {
    return with(progress.ending(EndReason.SERVER_STOPS)).because(why);
  }

  /** Returns the record of a member whose gang is to start again. */
  public PlacedTask startingAgain(String why) {
    return with(progress.ending(EndReason.GANG_STARTS_AGAIN)).because(why);
  }

  /** Returns the record after its end for the sake of its gang, to be placed again. */
  public PlacedTask returned(TaskEnd how, long time) {
    return with(history.withEnd(how, causeWithoutNote())).retriedAt(time);
  }

  public PlacedTask heard(long sequence, WorkerEvent event) {
    return with(progress.heard(sequence, event));
  }

  /** Returns the record after its training has told how far it is. */
  public PlacedTask trained(TrainingProgress told, long now) {
    boolean further = told.epochsDone() > epochsDone();
    return with(history.trained(told)).with(further ? progress.saved(now) : progress);
  }

  @Override
  public PlacedTask because(String why) {
    return with(history.because(why));
  }

  /** Returns the record after the end of its process; {@code why} is for people. */
  public PlacedTask ended(TaskEnd how, String why) {
    return with(history.withEnd(how, why));
  }

  /** Returns the record after an end without a result, to be retried at this time. */
  public PlacedTask interrupted(TaskEnd how, long time) {
    return with(history.interrupted(how)).retriedAt(time);
  }

  /** Returns the record after it has left its place; what it has not saved is lost. */
  public PlacedTask preempted(TaskEnd how, long now) {
    long since = Math.max(progress.runningSince(), progress.savedAt());
    long ran = progress.runningSince() == 0 ? 0 : (now - since) / 1_000_000;
    return with(history.preempted(how, causeWithoutNote(), ran)).retriedAt(now);
  }

  /** Returns the record after the task ran out of memory, to be retried with {@code more}. */
  public PlacedTask withMore(TaskEnd how, MemoryFloor more, long time) {
    return with(history.outOfMemory(how, more)).retriedAt(time);
  }

  /** Returns the record of a task that its node returns, to be placed again at this time. */
  public PlacedTask delayed(long time, String why) {
    return because(why).retriedAt(time);
  }

  /** Appends to the cause why the task has not ended. */
  public PlacedTask noted(TaskEnd.Kind kind, String why) {
    String own = causeWithoutNote();
    return ended(TaskEnd.because(kind, why), own == null ? why : own + NOTE + why);
  }

  /** Returns whether this was noted, in this attempt or an earlier one with the same cause. */
  public boolean isNoted(TaskEnd.Kind kind, String why) {
    return end() != null
        && end().kind() == kind
        && end().cause().equals(why)
        && cause().endsWith(why);
  }

  /** Returns the cause without the text from {@link #noted}. */
  public String causeWithoutNote() {
    boolean mayBe = end() != null && NOTES.contains(end().kind()) && cause() != null;
    if (mayBe && cause().equals(end().cause())) {
      return null;
    }
    String note = mayBe ? NOTE + end().cause() : "";
    return mayBe && cause().endsWith(note)
        ? cause().substring(0, cause().length() - note.length())
        : cause();
  }

  @Override
  public Optional<String> whyNotOver() {
    if (state == TaskState.STARTING) {
      return Optional.ofNullable(progress.notStarted());
    }
    if (state != TaskState.UNKNOWN && !state.isLeaving()) {
      return Optional.empty();
    }
    boolean noted = end() != null && cause() != null && cause().endsWith(end().cause());
    if (noted && NOTES.contains(end().kind()) && (state.isLeaving() || isStuck())) {
      return Optional.of(end().cause());
    }
    if (state == TaskState.STOPPING) {
      return Optional.ofNullable(cause());
    }
    return state == TaskState.UNKNOWN
        ? Optional.of("its node " + place.node() + " does not answer")
        : Optional.empty();
  }

  /** Returns whether its node has reported that it cannot end the attempt's processes. */
  public boolean isStuck() {
    return end() != null && end().kind() == TaskEnd.Kind.NOT_GONE;
  }
}
