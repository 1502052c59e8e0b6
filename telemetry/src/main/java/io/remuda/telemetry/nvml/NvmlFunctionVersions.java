package io.remuda.telemetry.nvml;

/**
 * The versions of one function, newest first. If the driver lacks a version, the next older one is
 * called; the version that works is remembered. One thread at a time.
 */
final class NvmlFunctionVersions {
  private final NvmlFunction[] versions;
  private int chosen;

  NvmlFunctionVersions(NvmlFunction... newestFirst) {
    this.versions = newestFirst;
  }

  /** Returns the version to call now. */
  NvmlFunction version() {
    return versions[chosen];
  }

  /**
   * Moves to the next older version if the driver lacks the current one; returns false if the
   * answer means something else or there is no older version.
   */
  boolean retreat(NvmlReturn answer) {
    boolean unknown =
        answer == NvmlReturn.FUNCTION_NOT_FOUND || answer == NvmlReturn.ARGUMENT_VERSION_MISMATCH;
    if (!unknown || chosen + 1 == versions.length) {
      return false;
    }
    chosen++;
    return true;
  }

  /** Calls the newest version that the driver has; all versions must take the same arguments. */
  NvmlReturn call(Nvml nvml, Object... arguments) {
    NvmlReturn answer;
    do {
      answer = nvml.call(version(), arguments);
    } while (retreat(answer));
    return answer;
  }
}
