package io.remuda.telemetry.nvml;

import com.sun.jna.Pointer;

/**
 * A GPU as the open library knows it.
 *
 * @param pointer null when the library does not give one
 * @param answer SUCCESS or why there is no pointer
 */
record NvmlHandle(Pointer pointer, NvmlReturn answer) {}
