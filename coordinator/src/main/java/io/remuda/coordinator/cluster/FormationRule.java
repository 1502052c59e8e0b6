package io.remuda.coordinator.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * How members that are in no cluster find together, so that a minority never makes a cluster of its
 * own: a member joins one that is in a cluster; if none is, and more than half of all members
 * answer, the first of them in the file begins one.
 */
final class FormationRule {

  /** What another member has answered. */
  sealed interface Answer {}

  /**
   * It answers.
   *
   * @param state of itself, as in {@link ClusterMemberStatus}
   */
  record There(String state) implements Answer {}

  /** It does not answer. */
  record Away(String why) implements Answer {}

  /** Something answers there, and shows a key that this member does not trust. */
  enum AnotherKey implements Answer {
    INSTANCE
  }

  /**
   * Returns what a member's answer means to this build: one that cannot take part is away.
   *
   * @param protocol version of the coordinators' protocol that it speaks
   */
  static Answer heard(int protocol, String state) {
    int own = ClusterMessage.PROTOCOL_VERSION;
    if (protocol != own) {
      return new Away(
          "speaks version "
              + protocol
              + " of the coordinators' protocol, this build version "
              + own
              + (protocol < own
                  ? ": replace it by this release"
                  : ": replace this coordinator by the release of that one"));
    }
    return state.equals(ClusterMemberStatus.OUTDATED)
        ? new Away("its build is too old for the state")
        : new There(state);
  }

  /** What to do. */
  sealed interface Step {}

  /** Join the cluster of a member. */
  record JoinOther(ClusterFile.Member member) implements Step {}

  /** Begin a cluster. */
  enum BeginCluster implements Step {
    INSTANCE
  }

  /** Ask again later. */
  record Wait(NotReadyReason reason) implements Step {}

  private FormationRule() {}

  /**
   * Decides.
   *
   * @param answers of the other members, by name
   */
  static Step next(
      ClusterFile cluster, ClusterFile.Member self, Map<String, ? extends Answer> answers) {
    for (String wanted : List.of("up", "joining")) {
      for (ClusterFile.Member member : cluster.members()) {
        if (answers.get(member.name()) instanceof There there && there.state().equals(wanted)) {
          return new JoinOther(member);
        }
      }
    }
    List<ClusterFile.Member> present = new ArrayList<>();
    Map<String, String> away = new TreeMap<>();
    for (ClusterFile.Member member : cluster.members()) {
      Answer answer = answers.get(member.name());
      if (member.equals(self) || answer instanceof There) {
        present.add(member);
      } else {
        away.put(member.name(), why(answer));
      }
    }
    if (present.size() < cluster.majority()) {
      return new Wait(
          new NotReadyReason(
              present.size()
                  + " of "
                  + cluster.members().size()
                  + " coordinators are here, and "
                  + cluster.majority()
                  + " are needed"
                  + ofKeys(answers),
              away.entrySet().stream()
                  .map(one -> one.getKey() + ": " + one.getValue())
                  .collect(Collectors.joining("; "))));
    }
    return present.get(0).equals(self)
        ? BeginCluster.INSTANCE
        : new Wait(new NotReadyReason(present.get(0).name() + " is to begin the cluster"));
  }

  private static String why(Answer answer) {
    if (answer instanceof Away gone) {
      return gone.why();
    }
    return answer instanceof AnotherKey ? "it shows another key" : "it has not answered yet";
  }

  /** Says whose key is most likely the old one, if they have different ones. */
  private static String ofKeys(Map<String, ? extends Answer> answers) {
    long others = answers.values().stream().filter(AnotherKey.class::isInstance).count();
    long alike = answers.values().stream().filter(There.class::isInstance).count();
    if (others == 0) {
      return "";
    }
    return others > alike
        ? ": the others show another key than this one has, whose cluster.key is an old one (or of"
            + " another cluster): copy theirs to this machine"
        : ": "
            + others
            + " of the others show another key: copy the cluster.key of this machine"
            + " to theirs";
  }
}
