package io.remuda.agent.protocol;

import io.remuda.telemetry.model.HostInfo;
import java.util.Objects;

/**
 * The machine, or the container on it, that an agent runs on. Agents with the same id share it.
 *
 * @param id one start of one machine and one container, as {@code PidScope} names it; never empty
 * @param cpus cores that processes may use there, whatever part of them an agent offers
 * @param memory bytes that processes may use there
 */
public record MachineFacts(String id, double cpus, long memory) {
  public MachineFacts {
    Objects.requireNonNull(id, "id");
    if (id.isEmpty()) {
      throw new IllegalArgumentException("id must not be empty");
    }
  }

  /**
   * Returns the machine of a host.
   *
   * @param host as it is, without limits of the agent's
   * @param processSpace or empty if it is not known; then the host's name stands for it
   */
  public static MachineFacts of(HostInfo host, String processSpace) {
    String id = processSpace.isEmpty() ? host.hostName() : processSpace;
    return new MachineFacts(id, host.cpusAllowed(), host.memAllowed());
  }
}
