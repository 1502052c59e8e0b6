package io.remuda.telemetry.testkit;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SimulatedDriverTest {
  @TempDir Path folder;

  @Test
  void a_missing_library_fails_and_says_that_a_c_compiler_is_needed() {
    String before = System.getProperty(SimulatedDriver.FOLDER_PROPERTY);
    System.setProperty(SimulatedDriver.FOLDER_PROPERTY, folder.toString());
    try {
      IllegalStateException failure =
          assertThrows(IllegalStateException.class, () -> SimulatedDriver.in(folder));
      assertTrue(failure.getMessage().contains("C compiler"), failure.getMessage());
    } finally {
      restore(before);
    }
  }

  private static void restore(String before) {
    if (before == null) {
      System.clearProperty(SimulatedDriver.FOLDER_PROPERTY);
    } else {
      System.setProperty(SimulatedDriver.FOLDER_PROPERTY, before);
    }
  }
}
