package io.remuda.telemetry.nvml;

/**
 * The versions of one function, newest first: a driver without the newest is asked for the next
 * older, and the version that it knows is remembered. One thread at a time.
 */
final class NvmlFallback {
  private final NvmlFunction[] versions;
  private int chosen;

  NvmlFallback(NvmlFunction... newestFirst) {
    this.versions = newestFirst;
  }

  /** The version to call now. */
  NvmlFunction version() {
    return versions[chosen];
  }

  /** Whether the answer says that the driver lacks this version and there is an older one. */
  boolean retreat(NvmlReturn answer) {
    boolean unknown =
        answer == NvmlReturn.FUNCTION_NOT_FOUND || answer == NvmlReturn.ARGUMENT_VERSION_MISMATCH;
    if (!unknown || chosen + 1 == versions.length) {
      return false;
    }
    chosen++;
    return true;
  }

  /** Calls the newest version that the driver knows, where all versions take the same arguments. */
  NvmlReturn call(Nvml nvml, Object... arguments) {
    NvmlReturn answer;
    do {
      answer = nvml.call(version(), arguments);
    } while (retreat(answer));
    return answer;
  }
}
