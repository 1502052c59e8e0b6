package io.remuda.coordinator.testkit;

import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;

/** Verbs that tests call in their own process must not reach a server of whoever runs them. */
class OwnSettingsTest {

  @Test
  void tests_have_no_settings_of_whoever_runs_them() {
    assertNull(System.getenv("REMUDA_HOME"), "it is in tests.environment.excluded of pom.xml");
    assertNull(System.getenv("REMUDA_CACHE"), "it is in tests.environment.excluded of pom.xml");
  }
}
