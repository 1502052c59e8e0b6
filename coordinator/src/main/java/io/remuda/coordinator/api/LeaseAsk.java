package io.remuda.coordinator.api;

import io.remuda.worker.job.LeasedProgramWorkload;
import io.remuda.worker.job.PlacementPolicy;
import io.remuda.worker.job.ResourceRequest;
import java.util.Objects;

/**
 * A request of a running program for devices.
 *
 * @param user the owner of the program
 * @param type job type of the work that it needs the devices for
 * @param request the resources, without a node
 * @param processSpace its pid namespace, in the form of its node's agent
 * @param program the process
 * @param clientKey idempotency key, or null
 */
public record LeaseAsk(
    String user,
    String type,
    ResourceRequest request,
    PlacementPolicy policy,
    String processSpace,
    LeasedProgramWorkload program,
    String clientKey) {
  public LeaseAsk {
    Objects.requireNonNull(user, "user");
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(request, "request");
    Objects.requireNonNull(program, "program");
  }
}
