package io.remuda.coordinator.service;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ServerIdleTimeTest {
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final long SECOND = 1_000_000_000L;
  private static final long START = 5 * SECOND;

  private final ServerIdleTime idleTimer = new ServerIdleTime(START);
  private long now = START;

  private boolean isIdleAfter(int seconds) {
    now += seconds * SECOND;
    return idleTimer.isLongerThan(LIMIT, now);
  }

  @Test
  void a_server_that_nobody_uses_has_been_idle_since_its_start() {
    assertFalse(isIdleAfter(30));
    assertTrue(isIdleAfter(1));
  }

  @Test
  void a_job_that_is_not_over_keeps_it_busy() {
    assertFalse(isIdleAfter(29));
    idleTimer.look(true, 1, now);
    assertFalse(isIdleAfter(30));
    idleTimer.look(false, 1, now);
    assertTrue(isIdleAfter(1));
  }

  @Test
  void jobs_that_were_over_before_anybody_looked_keep_it_busy() {
    for (int job = 1; job < 10; job++) {
      assertFalse(isIdleAfter(20));
      idleTimer.look(false, job, now);
    }
    assertTrue(isIdleAfter(31));
  }
}
