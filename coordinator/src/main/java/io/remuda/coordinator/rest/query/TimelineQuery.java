package io.remuda.coordinator.rest.query;

import io.remuda.coordinator.jobfield.ShortenedValues;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A question for what ran where.
 *
 * @param from first second since 1970
 * @param to second after the last
 * @param node of whose GPUs; null for all
 */
public record TimelineQuery(long from, long to, String node) {

  private static final long USUAL_SECONDS = 3600;
  private static final long MOST_SECONDS = 15 * 86_400L;
  private static final Set<String> NAMES = Set.of("from", "to", "node");

  public TimelineQuery {
    if (from >= to || to - from > MOST_SECONDS) {
      throw new IllegalArgumentException(
          "from must be earlier than to by 15 days at most, got " + from + " and " + to);
    }
  }

  /**
   * Reads the query part of a request.
   *
   * @param now in seconds since 1970
   * @throws IllegalArgumentException naming a parameter that is unknown or wrong
   */
  public static TimelineQuery of(Map<String, String> asked, long now) {
    for (String name : asked.keySet()) {
      if (!NAMES.contains(name)) {
        throw new IllegalArgumentException(
            "there is no parameter "
                + ShortenedValues.quoted(name)
                + "; there are from, to and node");
      }
    }
    long to = QueryParameters.number(Optional.ofNullable(asked.get("to")), now + 1);
    return new TimelineQuery(
        QueryParameters.number(Optional.ofNullable(asked.get("from")), to - USUAL_SECONDS),
        to,
        asked.get("node"));
  }

  /** Returns whether a node is asked for. */
  public boolean wants(String name) {
    return node == null || node.equals(name);
  }
}
