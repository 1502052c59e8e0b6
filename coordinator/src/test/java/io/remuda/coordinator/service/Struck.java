package io.remuda.coordinator.service;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What was done to a round's processes that may show in how its tasks end.
 *
 * @param tasks of which a process was killed
 * @param keepers what was done to them
 * @param away until when nodes that heard nothing did so, in milliseconds of the clock: what had
 *     been sent to them before begins then
 */
record Struck(Set<String> tasks, List<KeeperHit> keepers, Map<String, Long> away) {

  /** How long an order may be on its way to its node. */
  private static final Duration ON_ITS_WAY = Duration.ofSeconds(2);

  /**
   * What was done to a keeper.
   *
   * @param from when, in milliseconds of the clock
   * @param until it went on or was certainly gone
   * @param told whether it was told to end, so that it ended its tasks itself
   */
  record KeeperHit(String node, long from, long until, boolean told) {

    /** How long after that it may still be given up, or a task of it seem to have lived on. */
    private static final long LATE_MILLIS = 5000;

    /**
     * Returns it as it shows once the server hears of the node again, which was away in between:
     * what a task has done meanwhile is then dated by the time at which the server hears it.
     */
    KeeperHit heardAfter(long awaySince, long heard) {
      return awaySince <= until + LATE_MILLIS && heard > until
          ? new KeeperHit(node, from, heard, told)
          : this;
    }

    /** Whether a task that was on the node at that time may show it. */
    boolean met(String where, long started, long ended) {
      return node.equals(where) && from <= ended && started <= until + LATE_MILLIS;
    }
  }

  /** Returns when a task may begin at the latest whose job was cancelled at a time. */
  Instant latestBegin(Instant cancelled, String node) {
    Instant heard = Instant.ofEpochMilli(away.getOrDefault(node, 0L));
    return (heard.isAfter(cancelled) ? heard : cancelled).plus(ON_ITS_WAY);
  }

  boolean met(JsonNode task, Predicate<KeeperHit> kind) {
    long started = millis(task, "startedAt", 0);
    long ended = millis(task, "endedAt", Long.MAX_VALUE);
    String node = task.path("node").asText();
    return keepers.stream().filter(kind).anyMatch(hit -> hit.met(node, started, ended));
  }

  private static long millis(JsonNode task, String field, long otherwise) {
    JsonNode time = task.path(field);
    return time.isTextual() ? Instant.parse(time.asText()).toEpochMilli() : otherwise;
  }
}
