package io.remuda.agent.keeper.protocol;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * The contact deadlines of tasks as this side has sent them: when a keeper that stands still would
 * have to end a task and cannot. Time is that of the caller, in milliseconds. Any thread.
 */
final class SentLeases {
  private final Map<String, Long> deadlines = new HashMap<>();

  /** Notes a deadline so long from now; 0 removes it. */
  synchronized void renewed(Collection<String> keys, long contactMillis, long now) {
    for (String key : keys) {
      if (contactMillis == 0) {
        deadlines.remove(key);
      } else {
        deadlines.put(key, now + contactMillis);
      }
    }
  }

  /** Forgets tasks that have ended. */
  synchronized void ended(Collection<String> keys) {
    deadlines.keySet().removeAll(keys);
  }

  /** Returns whether the deadline of a task has passed. */
  synchronized boolean hasPassed(long now) {
    return deadlines.values().stream().anyMatch(deadline -> deadline <= now);
  }
}
