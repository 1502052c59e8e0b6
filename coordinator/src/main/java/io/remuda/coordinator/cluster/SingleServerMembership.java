package io.remuda.coordinator.cluster;

import io.remuda.coordinator.access.MemberKeyFingerprints;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A server that is the only coordinator.
 *
 * @param contact whether the state can be read
 * @param trouble why the state cannot be written, if so
 */
public record SingleServerMembership(
    String rest, DatabaseReachability contact, Supplier<Optional<String>> trouble)
    implements MembershipPort {

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
    return trouble
        .get()
        .map(why -> new NotReadyReason("the state cannot be written", why))
        .or(() -> contact.notReady());
  }

  @Override
  public boolean reachesState() {
    return contact.isReached();
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
