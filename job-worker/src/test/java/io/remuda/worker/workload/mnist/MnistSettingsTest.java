package io.remuda.worker.workload.mnist;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class MnistSettingsTest {

  @Test
  void a_run_without_an_epoch_is_refused_because_it_has_no_result() {
    IllegalArgumentException refusal =
        assertThrows(
            IllegalArgumentException.class,
            () -> new MnistSettings(0.5, 0, 64, 1000, 0.7, 1, false, 1));
    assertEquals("epochs is 0; it must be above 0", refusal.getMessage());
  }

  @Test
  void a_learning_rate_that_is_no_number_is_refused() {
    assertThrows(
        IllegalArgumentException.class,
        () -> new MnistSettings(Double.NaN, 1, 64, 1000, 0.7, 1, false, 1));
  }
}
