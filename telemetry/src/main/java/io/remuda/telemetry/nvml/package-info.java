/** Reads NVIDIA GPUs through the driver's management library. */
package io.remuda.telemetry.nvml;
