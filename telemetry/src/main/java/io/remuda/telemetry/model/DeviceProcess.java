package io.remuda.telemetry.model;

/**
 * A process that holds a compute context on a device.
 *
 * @param pid process id as the driver reports it; in a container it may be a pid of the host
 * @param memBytes device memory in bytes; null when the driver does not report it
 * @param task the attempt that the process belongs to, as {@code 12.0.1}; null when it belongs to
 *     no task of the node, or was not looked up
 * @param utilGpu share of time in which its kernels ran, 0-100 %; null when the driver does not
 *     report it
 * @param user name of the account that runs it; null for a process of a task, and where the process
 *     cannot be looked up, as one that is gone or in another container
 * @param command name of its program, as the kernel has it; null as for the user
 */
public record DeviceProcess(
    long pid, Long memBytes, String task, Integer utilGpu, String user, String command) {

  /** Creates a process without a known task. */
  public DeviceProcess(long pid, Long memBytes) {
    this(pid, memBytes, null, null, null, null);
  }

  /** Creates a process of a task whose utilisation is not known. */
  public DeviceProcess(long pid, Long memBytes, String task) {
    this(pid, memBytes, task, null, null, null);
  }

  /** Returns a copy that belongs to an attempt. */
  public DeviceProcess of(String attempt) {
    return new DeviceProcess(pid, memBytes, attempt, utilGpu, null, null);
  }

  /** Returns a copy that belongs to no attempt; both texts may be null. */
  public DeviceProcess ofStranger(String account, String program) {
    return new DeviceProcess(pid, memBytes, null, utilGpu, account, program);
  }

  /** Returns a copy with this utilisation in percent. */
  public DeviceProcess busy(int percent) {
    return new DeviceProcess(pid, memBytes, task, percent, user, command);
  }
}
