package io.remuda.coordinator.rest.output;

import java.time.Duration;

/**
 * How long a follower's stream waits between two passes: not at all if the last pass sent events,
 * otherwise longer each time. After a long search of the store it waits as long as the search took,
 * so that jobs with a million tasks do not keep the store busy. Single-threaded.
 */
final class PassPause {

  private static final Duration FIRST = Duration.ofMillis(10);
  private static final Duration LONGEST = Duration.ofMillis(250);
  private static final Duration SHORT_SEARCH = Duration.ofMillis(100);
  private static final Duration MOST = Duration.ofSeconds(5);

  private Duration next = FIRST;

  /**
   * Returns the pause after a pass.
   *
   * @param told whether the pass sent events to the client
   * @param searched how long the store was searched
   */
  Duration after(boolean told, Duration searched) {
    Duration usual = told ? Duration.ZERO : next;
    next = told ? FIRST : shorter(next.multipliedBy(2), LONGEST);
    return searched.compareTo(SHORT_SEARCH) > 0 ? shorter(searched, MOST) : usual;
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }
}
