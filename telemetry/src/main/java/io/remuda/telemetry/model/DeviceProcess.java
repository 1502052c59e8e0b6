package io.remuda.telemetry.model;

/**
 * A process that holds a compute context on a device.
 *
 * @param pid process id as the driver reports it; in a container it may be a pid of the host
 * @param memBytes device memory in bytes; null when the driver does not report it
 * @param task the attempt that the process belongs to, as {@code 12.0.1}; null when it belongs to
 *     no task of the node, or was not looked up
 */
public record DeviceProcess(long pid, Long memBytes, String task) {

  /** Creates a process without a known task. */
  public DeviceProcess(long pid, Long memBytes) {
    this(pid, memBytes, null);
  }

  /** Returns a copy that belongs to an attempt. */
  public DeviceProcess of(String attempt) {
    return new DeviceProcess(pid, memBytes, attempt);
  }
}
