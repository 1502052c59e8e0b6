package io.remuda.coordinator.cluster;

import io.remuda.coordinator.access.MemberKeyFingerprints;
import java.util.List;
import java.util.Optional;

/** A server that is the only coordinator. */
public record SingleServerMembership(String rest) implements MembershipPort {

  /** Its name, which nobody gives it. */
  public static final String NAME = "server";

  @Override
  public String self() {
    return NAME;
  }

  @Override
  public List<ClusterMemberStatus> members() {
    return List.of(new ClusterMemberStatus(NAME, rest, ClusterMemberStatus.UP, true));
  }

  @Override
  public Optional<NotReadyReason> notReady() {
    return Optional.empty();
  }

  @Override
  public boolean reachesState() {
    return true;
  }

  @Override
  public Optional<MemberKeyFingerprints> keys() {
    return Optional.empty();
  }

  @Override
  public Optional<String> handOver() {
    return Optional.of("this server is the only coordinator: there is none to hand over to");
  }
}
