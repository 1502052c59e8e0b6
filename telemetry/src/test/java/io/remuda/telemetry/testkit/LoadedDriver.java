package io.remuda.telemetry.testkit;

import com.sun.jna.Library;
import com.sun.jna.NativeLibrary;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A simulated driver inside this process. Its state is that of the process: tests that use it must
 * not run at the same time.
 */
public final class LoadedDriver {
  /**
   * Kept for the life of the process. JNA unloads a library once nothing refers to its handle, and
   * the driver, loaded again, would not know which control file it follows.
   */
  private static final Set<NativeLibrary> KEPT = ConcurrentHashMap.newKeySet();

  private final NativeLibrary library;

  private LoadedDriver(NativeLibrary library) {
    this.library = library;
  }

  static LoadedDriver of(Path library, Path control) {
    LoadedDriver driver =
        new LoadedDriver(
            NativeLibrary.getInstance(library.toString(), Map.of(Library.OPTION_OPEN_FLAGS, 1)));
    KEPT.add(driver.library);
    driver.call("remuda_simulated_nvml_control", control.toString());
    driver.call("remuda_simulated_nvml_reset_counters");
    return driver;
  }

  /**
   * A number the driver counts since it was loaded here: {@code init_calls}, {@code
   * init_successes}, {@code shutdown_calls}, {@code references} (now), {@code stale_handles},
   * {@code process_calls}, {@code hanging} (threads now), {@code hanging_max}.
   */
  public long counter(String name) {
    Object[] arguments = {name};
    return (Long)
        library.getFunction("remuda_simulated_nvml_counter").invoke(Long.class, arguments);
  }

  private void call(String function, Object... arguments) {
    library.getFunction(function).invoke(Void.class, arguments);
  }
}
