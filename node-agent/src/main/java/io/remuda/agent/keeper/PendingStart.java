package io.remuda.agent.keeper;

/**
 * A start that is being carried out: it was asked for, and is neither a task yet nor refused.
 * Guarded by its {@link Keeper}.
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
   * Creates one.
   *
   * @param late what its asker is told if it has expired before it is begun
   */
  PendingStart(SlotQueue.Waiting turn, RefusalCode late, long bornMillis) {
    this.turn = turn;
    this.late = late;
    this.bornMillis = bornMillis;
  }

  /** Its asker hears, once, that the answer takes its time. */
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

  /** From now on there may be a process; false if there must not be one. */
  boolean spawns() {
    spawning = !unwanted;
    return spawning;
  }

  /** It is not wanted any more; true if no process will come of it. */
  boolean withdraw() {
    unwanted |= !spawning;
    return unwanted;
  }

  boolean isUnwanted() {
    return unwanted;
  }

  /** Whether there may be a process. */
  boolean isSpawning() {
    return spawning;
  }

  /** It is to end as soon as it has begun, if it still does. */
  void kill(long graceMillis) {
    killGraceMillis = killGraceMillis < 0 ? graceMillis : Math.min(killGraceMillis, graceMillis);
    withdraw();
  }

  /** Within how many ms it is to end; negative if it is not to. */
  long killGraceMillis() {
    return killGraceMillis;
  }

  /** How it looks to a client, which takes it for a task from then on. */
  TaskView view() {
    listed = true;
    return new TaskView(key(), 0, 0, TaskView.State.RUNNING, null);
  }

  /** Whether a client takes it for a task. */
  boolean isListed() {
    return listed;
  }

  /** How a task has ended that never began, for a client that takes it for one. */
  TaskView ended() {
    ExitStatus none = new ExitStatus.Code(127); // as a shell says of what it cannot start
    return new TaskView(
        key(),
        0,
        0,
        TaskView.State.EXITED,
        new ExitRecord(key(), 0, 0, none, 0, 0, 0, 0, false, killGraceMillis >= 0, 0));
  }
}
