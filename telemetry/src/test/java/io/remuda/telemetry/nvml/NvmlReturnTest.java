package io.remuda.telemetry.nvml;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class NvmlReturnTest {
  @Test
  void every_code_finds_its_constant() {
    for (NvmlReturn constant : NvmlReturn.values()) {
      assertEquals(constant, NvmlReturn.of(constant.code()));
    }
  }

  @Test
  void a_code_of_a_future_driver_is_unknown() {
    assertEquals(NvmlReturn.UNKNOWN, NvmlReturn.of(500));
  }
}
