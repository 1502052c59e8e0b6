package io.remuda.coordinator.actor;

import io.remuda.worker.job.LeaseWorkload;
import io.remuda.worker.job.PlacementPolicy;
import io.remuda.worker.job.ResourceRequest;
import java.util.Objects;

/**
 * What a program that runs already asks for.
 *
 * @param user whose program it is
 * @param type of what it wants to do
 * @param request what it needs, on whatever node it is
 * @param processSpace where its process number counts, as its node says it
 * @param program the process
 * @param clientKey by which it can ask twice and have one lease, or null
 */
public record LeaseAsk(
    String user,
    String type,
    ResourceRequest request,
    PlacementPolicy policy,
    String processSpace,
    LeaseWorkload program,
    String clientKey) {
  public LeaseAsk {
    Objects.requireNonNull(user, "user");
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(request, "request");
    Objects.requireNonNull(program, "program");
  }
}
