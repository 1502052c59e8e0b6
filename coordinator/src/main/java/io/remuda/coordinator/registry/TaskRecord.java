package io.remuda.coordinator.registry;

import io.remuda.agent.protocol.TaskEnd;
import io.remuda.coordinator.lifecycle.EndReason;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.TaskId;
import io.remuda.worker.protocol.WorkerEvent;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The coordinator's record of a task.
 *
 * @param attempt newest attempt, 0 before the first
 * @param place where the attempt is, or null
 * @param outcome the worker's result event of this attempt, or null
 * @param lastSequence number of the last event accepted from this attempt's worker
 * @param interruptions how often it ended without a result and was retried or is to be retried
 * @param crashes how often its process failed without a reported cause
 * @param notBefore when it may be placed again, on the monotonic clock in nanoseconds
 * @param cause of its last end, for people, or null
 * @param end how its last process ended, or null
 * @param floor minimum memory, known from failures with less
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
    String cause,
    TaskEnd end,
    MemoryFloor floor) {

  /**
   * The place of an attempt.
   *
   * @param sinceRevision first revision of the node's desired state that contains the attempt; once
   *     it is to end, the first that does not
   * @param silentSince when the node fell silent, on the monotonic clock in nanoseconds; 0 if it
   *     has not
   * @param runningSince when its process was first seen, on the same clock; 0 if it was not
   * @param ending why it is being ended, if it is
   * @param slot number of its slot; several tasks of one class may be ordered for a slot and run
   *     there one after the other
   * @param gpuMemory promised bytes of each device; 0 for whole devices, {@link
   *     ResourceRequest#AUTO} for whole devices on which its type is measured
   * @param tag of the attempt
   */
  public record Place(
      String node,
      List<DeviceId> devices,
      long sinceRevision,
      long silentSince,
      long runningSince,
      EndReason ending,
      long slot,
      long gpuMemory,
      String tag) {
    public Place {
      devices = List.copyOf(devices);
    }

    /** Creates the place of a new attempt. */
    static Place at(
        String node, List<DeviceId> devices, long sinceRevision, long slot, long gpuMemory) {
      return new Place(
          node, devices, sinceRevision, 0, 0, EndReason.ON_REQUEST, slot, gpuMemory, "");
    }

    /** Returns a copy with another tag. */
    Place tagged(String other) {
      return new Place(
          node, devices, sinceRevision, silentSince, runningSince, ending, slot, gpuMemory, other);
    }

    private Place in(long otherSlot) {
      return new Place(
          node,
          devices,
          sinceRevision,
          silentSince,
          runningSince,
          ending,
          otherSlot,
          gpuMemory,
          tag);
    }

    private Place orderedIn(long revision) {
      return new Place(
          node, devices, revision, silentSince, runningSince, ending, slot, gpuMemory, tag);
    }

    private Place silent(long since) {
      return new Place(
          node, devices, sinceRevision, since, runningSince, ending, slot, gpuMemory, tag);
    }

    private Place running(long since) {
      return new Place(
          node, devices, sinceRevision, silentSince, since, ending, slot, gpuMemory, tag);
    }

    private Place ending(EndReason why) {
      return new Place(
          node, devices, sinceRevision, silentSince, runningSince, why, slot, gpuMemory, tag);
    }
  }

  private static final String NOTE = "; ";
  private static final Set<TaskEnd.Kind> NOTES =
      Set.of(TaskEnd.Kind.NOT_GONE, TaskEnd.Kind.NODE_GONE);

  static TaskRecord first(TaskId id, TaskState state, long now) {
    return new TaskRecord(id, state, 0, null, null, 0, 0, 0, now, null, null, MemoryFloor.NONE);
  }

  /** Creates the record of a task that has changed only together with all of its job. */
  static TaskRecord untouched(TaskId id, TaskState state, long since, String why) {
    return new TaskRecord(id, state, 0, null, null, 0, 0, 0, since, why, null, MemoryFloor.NONE);
  }

  static TaskRecord waiting(TaskId id, long now) {
    return first(id, TaskState.WAITING, now);
  }

  /** Returns the newest attempt, valid once the task was placed. Without a place it has no tag. */
  public AttemptId attemptId() {
    return new AttemptId(id, attempt, place == null ? "" : place.tag());
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
        cause,
        end,
        floor);
  }

  TaskRecord in(TaskState next) {
    return with(next, place, notBefore, cause);
  }

  private TaskRecord with(TaskState next, Place where, long retryAt, String why) {
    return new TaskRecord(
        id,
        next,
        attempt,
        where,
        outcome,
        lastSequence,
        interruptions,
        crashes,
        retryAt,
        why,
        end,
        floor);
  }

  TaskRecord inSlot(long slot) {
    return with(state, place.in(slot), notBefore, cause);
  }

  TaskRecord orderedIn(long revision) {
    return with(state, place.orderedIn(revision), notBefore, cause);
  }

  TaskRecord silentSince(long now) {
    return with(state, place.silent(now), notBefore, cause);
  }

  TaskRecord runningSince(long now) {
    return with(state, place.running(now), notBefore, cause);
  }

  TaskRecord pastLimit(String why) {
    return with(state, place.ending(EndReason.OVERDUE), notBefore, why);
  }

  TaskRecord stopped(String why) {
    return with(state, place.ending(EndReason.SERVER_STOPS), notBefore, why);
  }

  TaskRecord heard(long sequence, WorkerEvent event) {
    WorkerEvent last = event.isLast() ? event : outcome;
    return new TaskRecord(
        id,
        state,
        attempt,
        place,
        last,
        sequence,
        interruptions,
        crashes,
        notBefore,
        cause,
        end,
        floor);
  }

  TaskRecord interrupted(TaskEnd how, long retryAt) {
    int worse = crashes + (how.isCrash() ? 1 : 0);
    return ended(how, how.cause()).again(interruptions + 1, worse, retryAt, floor);
  }

  /** Returns the record after the task ran out of memory, to be retried with {@code more}. */
  TaskRecord withMore(TaskEnd how, MemoryFloor more, long retryAt) {
    return ended(how, how.cause()).again(interruptions, crashes, retryAt, more);
  }

  private TaskRecord again(int newInterruptions, int newCrashes, long retryAt, MemoryFloor least) {
    return new TaskRecord(
        id,
        state,
        attempt,
        place,
        outcome,
        lastSequence,
        newInterruptions,
        newCrashes,
        retryAt,
        cause,
        end,
        least);
  }

  /** Returns the record after the end of its process; {@code why} is for people. */
  TaskRecord ended(TaskEnd how, String why) {
    return new TaskRecord(
        id,
        state,
        attempt,
        place,
        outcome,
        lastSequence,
        interruptions,
        crashes,
        notBefore,
        why,
        how,
        floor);
  }

  /** Appends to the cause why the task has not ended. */
  TaskRecord noted(TaskEnd.Kind kind, String why) {
    String own = causeWithoutNote();
    return ended(TaskEnd.because(kind, why), own == null ? why : own + NOTE + why);
  }

  /** Returns whether this was noted, in this attempt or an earlier one with the same cause. */
  boolean isNoted(TaskEnd.Kind kind, String why) {
    return end != null && end.kind() == kind && end.cause().equals(why) && cause.endsWith(why);
  }

  /** Returns the cause without the text from {@link #noted}. */
  String causeWithoutNote() {
    boolean mayBe = end != null && NOTES.contains(end.kind()) && cause != null;
    if (mayBe && cause.equals(end.cause())) {
      return null;
    }
    String note = mayBe ? NOTE + end.cause() : "";
    return mayBe && cause.endsWith(note)
        ? cause.substring(0, cause.length() - note.length())
        : cause;
  }

  /** Returns why it is unknown or does not end, for people; empty in other states. */
  public Optional<String> whyNotOver() {
    if (state != TaskState.UNKNOWN && state != TaskState.ENDING) {
      return Optional.empty();
    }
    boolean noted = end != null && cause != null && cause.endsWith(end.cause());
    if (noted && NOTES.contains(end.kind()) && (state == TaskState.ENDING || isStuck())) {
      return Optional.of(end.cause());
    }
    return state == TaskState.UNKNOWN
        ? Optional.of("its node " + place.node() + " does not answer")
        : Optional.empty();
  }

  /** Returns whether its node has reported that it cannot end the attempt's processes. */
  boolean isStuck() {
    return state.holdsPlace() && end != null && end.kind() == TaskEnd.Kind.NOT_GONE;
  }

  TaskRecord because(String why) {
    return with(state, place, notBefore, why);
  }

  TaskRecord delayed(long retryAt, String why) {
    return with(state, place, retryAt, why);
  }

  TaskRecord withoutPlace() {
    return with(state, null, notBefore, cause);
  }
}
