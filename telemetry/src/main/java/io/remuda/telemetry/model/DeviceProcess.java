package io.remuda.telemetry.model;

/**
 * One process that holds a compute context on a device.
 *
 * @param pid process id as the driver tells it; in a container it may be one of the host
 * @param memBytes device memory in bytes; null when the driver does not say
 * @param task the attempt that it belongs to, as {@code 12.0.1}; null when it is none of the node's
 *     or when nobody has looked
 */
public record DeviceProcess(long pid, Long memBytes, String task) {

  /** A process of which only the driver has told. */
  public DeviceProcess(long pid, Long memBytes) {
    this(pid, memBytes, null);
  }

  /** The same process, now known to belong to a task. */
  public DeviceProcess of(String attempt) {
    return new DeviceProcess(pid, memBytes, attempt);
  }
}
