package io.remuda.coordinator.cluster;

import io.remuda.coordinator.access.MemberKeyFingerprints;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.pekko.actor.Address;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.cluster.ClusterEvent.CurrentClusterState;
import org.apache.pekko.cluster.Member;
import org.apache.pekko.cluster.MemberStatus;
import org.apache.pekko.cluster.typed.Cluster;

/** The members of this process's cluster. Thread-safe. */
public final class ClusterMembership implements MembershipPort {

  /** Ends this member, which joins again at once. */
  public interface Rejoin {
    /** Begins to end it. */
    void begin();
  }

  private final Cluster cluster;
  private final LocalMemberConfig member;
  private final KnownLeader leader;
  private final ClusterFormationStatus formation;
  private final DatabaseReachability contact;
  private final Rejoin rejoin;

  public ClusterMembership(
      ActorSystem<?> system,
      LocalMemberConfig member,
      KnownLeader leader,
      ClusterFormationStatus formation,
      DatabaseReachability contact,
      Rejoin rejoin) {
    this.cluster = Cluster.get(system);
    this.member = member;
    this.leader = leader;
    this.formation = formation;
    this.contact = contact;
    this.rejoin = rejoin;
  }

  @Override
  public String self() {
    return member.self().name();
  }

  @Override
  public List<ClusterMemberStatus> members() {
    CurrentClusterState state = cluster.state();
    Set<Address> unreachable = new HashSet<>();
    state.getUnreachable().forEach(one -> unreachable.add(one.address()));
    String leads = leader.notice().map(LeaderNotice::member).orElse("");
    return member.cluster().members().stream()
        .map(
            one ->
                new ClusterMemberStatus(
                    one.name(),
                    one.rest(),
                    one.equals(member.self()) && formation.isOutdated()
                        ? ClusterMemberStatus.OUTDATED
                        : stateOf(one, state, unreachable),
                    one.name().equals(leads)))
        .toList();
  }

  private static String stateOf(
      ClusterFile.Member one, CurrentClusterState state, Set<Address> unreachable) {
    String found = "absent";
    for (Member each : state.getMembers()) {
      Address address = each.address();
      boolean same =
          address.getHost().filter(one.host()::equals).isPresent()
              && address.getPort().filter(port -> port == one.coordinatorPort()).isPresent();
      if (same) {
        found = unreachable.contains(address) ? "unreachable" : word(each.status());
      }
    }
    return found;
  }

  private static String word(MemberStatus status) {
    if (status.equals(MemberStatus.up())) {
      return ClusterMemberStatus.UP;
    }
    return status.equals(MemberStatus.joining()) || status.equals(MemberStatus.weaklyUp())
        ? "joining"
        : "leaving";
  }

  @Override
  public Optional<NotReadyReason> notReady() {
    if (!cluster.selfMember().status().equals(MemberStatus.up())) {
      boolean joining = cluster.state().getMembers().iterator().hasNext();
      return Optional.of(
          joining
              ? new NotReadyReason(
                  "it joins, and waits until " + member.cluster().majority() + " coordinators have")
              : formation.waitsFor());
    }
    if (leader.notice().isEmpty()) {
      return Optional.of(
          leader
              .obstacle()
              .map(why -> new NotReadyReason("it is to lead and cannot open the state", why))
              .orElse(new NotReadyReason("no coordinator leads at present")));
    }
    return leader
        .notice()
        .map(LeaderNotice::trouble)
        .map(trouble -> new NotReadyReason("the state cannot be written", trouble))
        .or(contact::notReady);
  }

  @Override
  public boolean reachesState() {
    return contact.isReached();
  }

  @Override
  public Optional<MemberKeyFingerprints> keys() {
    return Optional.of(MemberKeyFingerprints.of(member.secret().get().keys()));
  }

  @Override
  public Optional<String> handOver() {
    long others =
        members().stream()
            .filter(one -> !one.name().equals(self()) && one.state().equals(ClusterMemberStatus.UP))
            .count();
    if (others + 1 < member.cluster().majority() + 1) {
      return Optional.of(
          "too few coordinators would remain while "
              + self()
              + " joins again: "
              + others
              + " others are up, "
              + member.cluster().majority()
              + " are needed");
    }
    rejoin.begin();
    return Optional.empty();
  }
}
