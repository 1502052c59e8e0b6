package io.remuda.agent.protocol;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.remuda.agent.settings.WholeGpuRules;
import io.remuda.telemetry.model.HostInfo;
import java.util.Objects;

/**
 * The machine, or the container on it, that an agent runs on. Agents with the same id share it.
 *
 * @param id one start of one machine and one container, as {@code PidScope} names it; never empty
 * @param cpus cores that processes may use there, whatever part of them an agent offers
 * @param memory bytes that processes may use there
 * @param strangerMemory bytes that processes of no task may use of a GPU that is lent whole, {@link
 *     Long#MAX_VALUE} for any; null from an earlier build, which has no such limit
 * @param slicesToo whether slices of its GPUs (MIG) are lent as if they were GPUs; null for no
 */
public record MachineFacts(
    String id,
    double cpus,
    long memory,
    @JsonInclude(JsonInclude.Include.NON_NULL) Long strangerMemory,
    @JsonInclude(JsonInclude.Include.NON_NULL) Boolean slicesToo) {
  public MachineFacts {
    Objects.requireNonNull(id, "id");
    if (id.isEmpty()) {
      throw new IllegalArgumentException("id must not be empty");
    }
  }

  /** Creates the facts of an agent that says nothing of strangers. */
  public MachineFacts(String id, double cpus, long memory) {
    this(id, cpus, memory, null, null);
  }

  /** Returns a copy with what of it may be lent as a whole GPU. */
  public MachineFacts with(WholeGpuRules rules) {
    return new MachineFacts(
        id, cpus, memory, rules.strangerMemory(), rules.slicesToo() ? Boolean.TRUE : null);
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
