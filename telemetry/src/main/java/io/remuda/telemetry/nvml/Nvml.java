package io.remuda.telemetry.nvml;

/** The driver's management library: C functions that take C arguments and answer a code. */
interface Nvml {
  /**
   * Calls a function; a symbol that the library lacks answers FUNCTION_NOT_FOUND.
   *
   * @param arguments {@code Integer} for int, {@code Pointer} or {@code Memory} for handles and
   *     results, {@code String} for text; not kept
   */
  NvmlReturn call(NvmlFunction function, Object... arguments);
}
