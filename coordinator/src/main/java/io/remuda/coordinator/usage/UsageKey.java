package io.remuda.coordinator.usage;

import java.util.Objects;

/**
 * What the use of ended attempts is summed by.
 *
 * @param day on which they ended, in UTC: days since 1970
 * @param user owner of the job
 * @param type of the job, as given with it or derived from its command
 * @param node on which they were
 */
public record UsageKey(long day, String user, String type, String node) {

  /** Number of types and nodes that a user has on one day; what follows is one type, others. */
  public static final int MOST_ROWS = 1000;

  private static final long MILLIS_OF_DAY = 86_400_000;

  public UsageKey {
    Objects.requireNonNull(user, "user");
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(node, "node");
  }

  /** Returns the day of a time in milliseconds since 1970. */
  public static long dayOf(long epochMillis) {
    return Math.floorDiv(epochMillis, MILLIS_OF_DAY);
  }

  /** Returns the key of all types of the user that have no rows of their own. */
  public UsageKey ofOthers() {
    return new UsageKey(day, user, "others", node);
  }
}
