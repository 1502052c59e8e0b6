package io.remuda.telemetry.window;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;

class EnergyCounterSumTest {
  private final EnergyCounterSum meter = new EnergyCounterSum();

  @Test
  void nothing_is_known_before_the_first_reading() {
    meter.add(null);
    assertNull(meter.sum());
  }

  @Test
  void deltas_are_summed_over_missing_readings() {
    meter.add(1000L);
    assertEquals(0, meter.sum());
    meter.add(1500L);
    meter.add(null);
    meter.add(1700L);
    assertEquals(700, meter.sum());
  }

  @Test
  void a_fall_is_a_reset_and_what_the_counter_shows_since_is_added() {
    meter.add(1000L);
    meter.add(1500L);
    meter.add(40L);
    meter.add(100L);
    assertEquals(600, meter.sum());
  }
}
