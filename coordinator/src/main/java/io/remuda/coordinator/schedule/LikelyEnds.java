package io.remuda.coordinator.schedule;

import io.remuda.coordinator.schedule.model.TaskClass;
import io.remuda.coordinator.schedule.model.TaskSet;
import io.remuda.coordinator.schedule.order.QueueOrder.Turn;
import io.remuda.worker.job.TaskId;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * After how long the tasks of a plan have ended: at their time limits, or sooner by what their type
 * took. Those of a gang have only their limits, since its last member decides.
 */
final class LikelyEnds {

  /** Jobs of a plan that are looked at behind another one of their class. */
  private static final int MOST_LOOKS = 1000;

  private final LikelyDurations likely;
  private int looks;

  LikelyEnds(LikelyDurations likely) {
    this.likely = likely;
  }

  /** Returns after how many milliseconds the turn's task will have ended; 0 if not known. */
  long millis(Turn turn) {
    TaskClass.SchedulingKey key = turn.line().key();
    long limit = key.timeLimitMillis();
    OptionalLong expected =
        key.gang() == null ? likely.millis(turn.task().job()) : OptionalLong.empty();
    return expected.isPresent() && (limit == 0 || expected.getAsLong() < limit)
        ? expected.getAsLong()
        : limit;
  }

  /**
   * Returns the first task of a later job of the class that will have ended sooner than the one
   * that was held back: it fits where that one does, and may be let past a job that this one would
   * delay.
   *
   * @param than milliseconds of the one that was held back; 0 if not known
   */
  Optional<TaskId> shorter(Turn turn, long than) {
    long most = than == 0 ? Long.MAX_VALUE : than;
    TaskSet tasks = turn.line().tasks();
    boolean alone = turn.line().key().gang() == null;
    for (TaskId next = alone ? tasks.firstAfter(turn.task().job()) : null;
        next != null && ++looks <= MOST_LOOKS;
        next = tasks.firstAfter(next.job())) {
      OptionalLong millis = likely.millis(next.job());
      if (millis.isPresent() && millis.getAsLong() < most) {
        return Optional.of(next);
      }
    }
    return Optional.empty();
  }
}
