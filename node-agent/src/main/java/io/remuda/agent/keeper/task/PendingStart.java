package io.remuda.agent.keeper.task;

import io.remuda.agent.keeper.ExitRecord;
import io.remuda.agent.keeper.ExitStatus;
import io.remuda.agent.keeper.RefusalCode;
import io.remuda.agent.keeper.SpawnRequest;
import io.remuda.agent.keeper.TaskView;

/**
 * A start under way: requested, but neither a task yet nor refused. Guarded by its {@link Keeper}.
 */
final class PendingStart {
  private static final long SLOW_MILLIS = 500;

  private final SlotQueue.Waiting turn;
  private final RefusalCode late;
  private final long bornMillis;
  private boolean saidToWait;
  private boolean spawning;
  private boolean unwanted;
  private boolean listed;
  private long killGraceMillis = -1;

  /**
   * @param late the refusal if the request has expired before the start begins
   */
  PendingStart(SlotQueue.Waiting turn, RefusalCode late, long bornMillis) {
    this.turn = turn;
    this.late = late;
    this.bornMillis = bornMillis;
  }

  /** Notifies its requester, once, that the answer is late. */
  void sayIfSlow(long now) {
    if (!saidToWait && now - bornMillis > SLOW_MILLIS) {
      saidToWait = true;
      turn.asker().queued();
    }
  }

  SlotQueue.Waiting turn() {
    return turn;
  }

  SpawnRequest request() {
    return turn.request();
  }

  String key() {
    return turn.request().key();
  }

  RefusalCode late() {
    return late;
  }

  /** Notes that its process may exist from now on; returns false if it was withdrawn. */
  boolean spawns() {
    spawning = !unwanted;
    return spawning;
  }

  /** Withdraws it, unless its process may exist; returns whether it is withdrawn. */
  boolean withdraw() {
    unwanted |= !spawning;
    return unwanted;
  }

  boolean isUnwanted() {
    return unwanted;
  }

  /** Returns whether its process may exist. */
  boolean isSpawning() {
    return spawning;
  }

  /** Withdraws it or, if its process may exist, has the task killed once it has begun. */
  void kill(long graceMillis) {
    killGraceMillis = killGraceMillis < 0 ? graceMillis : Math.min(killGraceMillis, graceMillis);
    withdraw();
  }

  /** Returns the grace of the kill in ms; negative if there is no kill. */
  long killGraceMillis() {
    return killGraceMillis;
  }

  /** Returns it as a running task, and notes that a client has seen it as one. */
  TaskView view() {
    listed = true;
    return new TaskView(key(), 0, 0, TaskView.State.RUNNING, null);
  }

  /** Returns whether a client has seen it as a task. */
  boolean isListed() {
    return listed;
  }

  /** Returns it as an ended task, for a client that has seen it as a running one. */
  TaskView ended() {
    ExitStatus none = new ExitStatus.Code(127); // a shell's code if it cannot start a program
    return new TaskView(
        key(),
        0,
        0,
        TaskView.State.EXITED,
        new ExitRecord(key(), 0, 0, none, 0, 0, 0, 0, false, killGraceMillis >= 0, 0));
  }
}
