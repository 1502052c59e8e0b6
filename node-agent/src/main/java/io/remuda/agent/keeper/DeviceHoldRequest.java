package io.remuda.agent.keeper;

import java.nio.file.Path;
import java.util.List;

/**
 * A request to hold devices for a running program until it ends or gives them back.
 *
 * @param key names the attempt, as in {@link SpawnRequest}
 * @param pid of its process
 * @param startTicks field 22 of its {@code /proc/PID/stat}
 * @param taskFolder absolute; the exit record is written here
 * @param deviceLocks UUIDs of the devices to lock for it
 * @param graceMillis between SIGTERM and SIGKILL when the keeper has to end it
 */
public record DeviceHoldRequest(
    String key,
    long pid,
    long startTicks,
    Path taskFolder,
    List<String> deviceLocks,
    long graceMillis) {

  public DeviceHoldRequest {
    deviceLocks = List.copyOf(deviceLocks);
    SpawnRequest.requireKey(key);
    SpawnRequest.requireAbsolute("taskFolder", taskFolder);
    if (graceMillis < 0) {
      throw new IllegalArgumentException("graceMillis: negative: " + graceMillis);
    }
    if (pid < 2 || pid > Integer.MAX_VALUE) {
      throw new IllegalArgumentException("pid: not 2 or more: " + pid);
    }
  }
}
