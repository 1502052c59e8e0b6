package io.remuda.coordinator.rest.answer;

import io.remuda.coordinator.cluster.ClusterMessage;
import io.remuda.coordinator.cluster.LeaderNotice;
import io.remuda.coordinator.cluster.MembershipPort;
import io.remuda.coordinator.cluster.NotReadyReason;
import java.time.Instant;
import java.util.List;

/**
 * The coordinators of a cluster.
 *
 * @param member the one that answers
 * @param leader null while none leads
 * @param members of the cluster's file
 * @param store where the state is
 * @param protocol version of the coordinators' protocol that the member speaks
 * @param reachesState whether the member has read the database within the last seconds
 * @param notReady why the member cannot serve, or null
 * @param key fingerprints of the member's keys; null if it is in no cluster
 */
public record ClusterAnswer(
    String member,
    LeaderAnswer leader,
    List<MemberAnswer> members,
    String store,
    int protocol,
    boolean reachesState,
    String notReady,
    KeyAnswer key) {

  /**
   * The keys of a member.
   *
   * @param shown fingerprint of the certificate that it shows
   * @param trusted fingerprints of the others that it trusts, too, while the key is renewed
   */
  public record KeyAnswer(String shown, List<String> trusted) {}

  /**
   * The leader.
   *
   * @param epoch of its leadership
   * @param since when it began to lead
   * @param trouble why the state cannot be written at present, or null
   */
  public record LeaderAnswer(
      String member, long epoch, String since, String version, String trouble) {}

  /**
   * A member.
   *
   * @param address of its HTTP interface
   * @param state up, joining, leaving, unreachable, absent or outdated
   */
  public record MemberAnswer(String name, String address, String state, boolean leads) {}

  /**
   * Whether a member can serve.
   *
   * @param why it cannot, in words for anybody; null if it can
   */
  public record ReadyAnswer(boolean ready, String member, String why) {}

  /** A member has begun to leave, to join again. */
  public record HandedOverAnswer(String member) {}

  /**
   * @param leader null while none leads
   */
  public static ClusterAnswer of(MembershipPort membership, LeaderNotice leader, String store) {
    return new ClusterAnswer(
        membership.self(),
        leader == null
            ? null
            : new LeaderAnswer(
                leader.member(),
                leader.epoch(),
                Instant.ofEpochMilli(leader.since()).toString(),
                leader.build(),
                leader.trouble()),
        membership.members().stream()
            .map(one -> new MemberAnswer(one.name(), one.rest(), one.state(), one.leads()))
            .toList(),
        store,
        ClusterMessage.PROTOCOL_VERSION,
        membership.reachesState(),
        membership.notReady().map(NotReadyReason::whole).orElse(null),
        membership.keys().map(key -> new KeyAnswer(key.shown(), key.trusted())).orElse(null));
  }
}
