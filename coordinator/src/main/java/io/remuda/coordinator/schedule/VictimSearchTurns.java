package io.remuda.coordinator.schedule;

import io.remuda.coordinator.schedule.model.TaskClass;
import java.util.ArrayList;
import java.util.List;

/**
 * For which waiting classes victims are searched in a round, if more wait than a round has time
 * for: the first ones always, and the others in turn. Single-threaded.
 */
public final class VictimSearchTurns {

  /** Number of classes that are searched for in each round, however many wait. */
  static final int ALWAYS = 4;

  private final int most;

  /** The class that was searched for last; null before the first. */
  private TaskClass.SchedulingKey last;

  /**
   * @param most maximum number of searches in a round
   */
  public VictimSearchTurns(int most) {
    this.most = most;
  }

  /** Returns the first classes, and of the others those first whose turn is next. */
  public List<TaskClass.SchedulingKey> inTurn(List<TaskClass.SchedulingKey> waiting) {
    if (waiting.size() <= most) {
      return waiting;
    }
    List<TaskClass.SchedulingKey> others = waiting.subList(ALWAYS, waiting.size());
    int next = others.indexOf(last) + 1;
    List<TaskClass.SchedulingKey> turns = new ArrayList<>(waiting.subList(0, ALWAYS));
    turns.addAll(others.subList(next, others.size()));
    turns.addAll(others.subList(0, next));
    return turns;
  }

  /** Notes the newest search. */
  public void searched(TaskClass.SchedulingKey key) {
    last = key;
  }
}
