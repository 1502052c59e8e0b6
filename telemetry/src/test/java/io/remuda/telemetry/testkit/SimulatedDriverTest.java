package io.remuda.telemetry.testkit;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SimulatedDriverTest {
  private static final int COLLECTIONS = 10;
  private static final int PAUSE_MILLIS = 20;

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

  /** Collecting garbage is the only way to have JNA unload a library, and it cannot be forced. */
  @Test
  void the_driver_follows_its_file_though_nothing_holds_its_handle() throws Exception {
    SimulatedDriver driver = SimulatedDriver.in(folder);
    WeakReference<LoadedDriver> handle = new WeakReference<>(driver.loaded());
    for (int i = 0; i < COLLECTIONS && isMapped(driver.library()); i++) {
      System.gc();
      Thread.sleep(PAUSE_MILLIS);
    }
    assertNull(handle.get(), "the handle is still held: nothing is shown");
    assertTrue(isMapped(driver.library()), "the driver was unloaded and has forgotten its file");
  }

  private static boolean isMapped(Path library) throws IOException {
    return Files.readString(Path.of("/proc/self/maps")).contains(library.toString());
  }

  private static void restore(String before) {
    if (before == null) {
      System.clearProperty(SimulatedDriver.FOLDER_PROPERTY);
    } else {
      System.setProperty(SimulatedDriver.FOLDER_PROPERTY, before);
    }
  }
}
