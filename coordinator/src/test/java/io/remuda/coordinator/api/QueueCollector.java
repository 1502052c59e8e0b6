package io.remuda.coordinator.api;

import java.util.HashMap;
import java.util.Map;

/** Counts the tasks of a queue job by job, for tests. */
public final class QueueCollector {

  private final Map<String, QueueCounts.Share> byUser = new HashMap<>();
  private final Map<String, Integer> byReason = new HashMap<>();
  private int waiting;
  private int running;

  /**
   * Adds a job.
   *
   * @param why its tasks wait, or null if none does
   */
  public void add(String user, int waits, int runs, String why) {
    waiting += waits;
    running += runs;
    byUser.merge(
        user,
        new QueueCounts.Share(waits, runs),
        (one, other) ->
            new QueueCounts.Share(
                one.waiting() + other.waiting(), one.running() + other.running()));
    if (waits > 0 && why != null) {
      byReason.merge(why, waits, Integer::sum);
    }
  }

  public QueueCounts counts() {
    return new QueueCounts(waiting, running, byUser, byReason);
  }
}
