package io.remuda.coordinator.testkit;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;

/**
 * A wall clock that is wrong, for processes that have its variables in their environment; the
 * monotonic one is not touched. Takes libfaketime.
 */
public final class WrongClock {

  /** The package that it is in. */
  public static final String DEBIAN = "faketime";

  private WrongClock() {}

  /** The variables for one that is ahead; nothing, where there is no libfaketime. */
  public static Optional<Map<String, String>> aheadByDays(int days) throws IOException {
    return library().map(library -> variables(library, "+" + days + "d"));
  }

  /** Without the last one timed waits of a JVM return at once, and it does nothing but spin. */
  private static Map<String, String> variables(String library, String offset) {
    return Map.of(
        "LD_PRELOAD",
        library,
        "FAKETIME",
        offset,
        "FAKETIME_DONT_FAKE_MONOTONIC",
        "1",
        "FAKETIME_FORCE_MONOTONIC_FIX",
        "0");
  }

  /** The command knows where its library is. */
  private static Optional<String> library() throws IOException {
    Process process;
    try {
      process =
          new ProcessBuilder("faketime", "-m", "-f", "+1d", "printenv", "LD_PRELOAD")
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
    } catch (IOException missing) {
      return Optional.empty();
    }
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return Optional.of(said.strip()).filter(path -> !path.isEmpty());
  }
}
