package io.remuda.telemetry.model;

/**
 * One process that holds a compute context on a device.
 *
 * @param pid process id as the driver tells it; in a container it may be one of the host
 * @param memBytes device memory in bytes; null when the driver does not say
 */
public record DeviceProcess(long pid, Long memBytes) {}
