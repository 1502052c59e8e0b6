package io.remuda.coordinator.api;

import java.util.Map;

/**
 * How many tasks of live jobs wait, and how many have a place.
 *
 * @param waiting tasks without a place that have not ended: also those on hold, that wait for other
 *     jobs, or begin later
 * @param running tasks with a place, also those that start or are being ended
 * @param byUser both of each user who has any
 * @param byReason waiting tasks by the first reason of the first of them in each job; {@link
 *     #NOT_LOOKED_AT} if there are many jobs
 */
public record QueueCounts(
    int waiting, int running, Map<String, Share> byUser, Map<String, Integer> byReason) {

  /** In place of the reason of a job that was not looked at. */
  public static final String NOT_LOOKED_AT = "not-looked-at";

  public QueueCounts {
    byUser = Map.copyOf(byUser);
    byReason = Map.copyOf(byReason);
  }

  /** The part of a user. */
  public record Share(int waiting, int running) {}
}
