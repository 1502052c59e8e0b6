package io.remuda.telemetry.nvml;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.telemetry.nvml.NvmlDeviceSource.BackOff;
import io.remuda.telemetry.testkit.ManualTicker;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class BackOffTest {
  private final ManualTicker ticker = new ManualTicker();
  private final BackOff backOff =
      new BackOff(Duration.ofSeconds(5), Duration.ofSeconds(60), ticker);

  @Test
  void nothing_is_due_before_a_failure() {
    ticker.advance(Duration.ofDays(1));
    assertFalse(backOff.tryNow());
  }

  @Test
  void a_try_is_due_once_when_the_pause_has_passed() {
    backOff.failed();
    ticker.advance(Duration.ofSeconds(5));
    assertTrue(backOff.tryNow());
    assertFalse(backOff.tryNow());
  }

  @Test
  void a_failure_while_a_try_is_awaited_does_not_put_it_off() {
    backOff.failed();
    ticker.advance(Duration.ofSeconds(4));
    backOff.failed();
    ticker.advance(Duration.ofSeconds(1));
    assertTrue(backOff.tryNow());
  }
}
