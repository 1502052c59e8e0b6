package io.remuda.telemetry.model;

import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class DeviceIdTest {
  @ParameterizedTest
  @NullSource
  @ValueSource(strings = {"", "  "})
  void a_blank_identifier_is_refused(String uuid) {
    assertThrows(IllegalArgumentException.class, () -> new DeviceId(uuid));
  }
}
