package io.remuda.coordinator.rest;

import java.time.Duration;

/**
 * How long a follower's stream waits before it looks for more: not at all where there was something
 * just now, else longer each time; and always as long as the store was searched, so that a job of a
 * million tasks does not keep it busy. One thread.
 */
final class PassPause {

  private static final Duration FIRST = Duration.ofMillis(10);
  private static final Duration LONGEST = Duration.ofMillis(250);
  private static final Duration SHORT_SEARCH = Duration.ofMillis(100);
  private static final Duration MOST = Duration.ofSeconds(5);

  private Duration next = FIRST;

  /**
   * The pause behind one pass.
   *
   * @param told whether there was something for the client
   * @param searched how long the store took, whatever the client did
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
