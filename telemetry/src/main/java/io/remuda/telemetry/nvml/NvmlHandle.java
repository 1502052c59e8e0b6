package io.remuda.telemetry.nvml;

import com.sun.jna.Pointer;

/**
 * The result of a handle lookup in the open library.
 *
 * @param pointer the handle; null when the lookup failed
 * @param answer SUCCESS, or the reason why there is no pointer
 */
record NvmlHandle(Pointer pointer, NvmlReturn answer) {}
