package io.remuda.coordinator.testkit;

import static org.awaitility.pollinterval.IterativePollInterval.iterative;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/**
 * Looks at a service at once, after 20 ms, and then less and less often, down to every 100 ms: each
 * look takes processor time from the service.
 */
final class SparingLooks {
  private static final Duration SHORTEST_PAUSE = Duration.ofMillis(20);
  private static final Duration LONGEST_PAUSE = Duration.ofMillis(100);

  private SparingLooks() {}

  /** Begins to wait for a condition, on the caller's thread. */
  static ConditionFactory within(Duration limit) {
    return Awaitility.await()
        .atMost(limit)
        .pollInSameThread()
        .pollDelay(Duration.ZERO)
        .pollInterval(iterative(SparingLooks::next, SHORTEST_PAUSE));
  }

  private static Duration next(Duration pause) {
    Duration longer = pause.multipliedBy(11).dividedBy(10);
    return longer.compareTo(LONGEST_PAUSE) < 0 ? longer : LONGEST_PAUSE;
  }
}
