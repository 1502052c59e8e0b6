package io.remuda.telemetry.nvml;

/** The driver's management library: C functions with C arguments that return a status code. */
interface Nvml {
  /**
   * Calls a function; returns FUNCTION_NOT_FOUND if the library lacks the symbol.
   *
   * @param arguments {@code Integer} for int, {@code Pointer} or {@code Memory} for handles and
   *     results, {@code String} for text; not retained
   */
  NvmlReturn call(NvmlFunction function, Object... arguments);
}
