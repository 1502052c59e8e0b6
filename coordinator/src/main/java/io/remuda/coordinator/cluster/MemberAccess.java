package io.remuda.coordinator.cluster;

import io.remuda.agent.protocol.AccessFile;
import io.remuda.coordinator.access.ServerAccess;
import java.util.ArrayList;
import java.util.List;

/** The access file that a member writes: it knows all members, the member itself first. */
public final class MemberAccess {

  private MemberAccess() {}

  /** Returns the content of the file, for agents and for the owner's commands. */
  public static ServerAccess of(ClusterMember member) {
    List<ClusterFile.Member> all = new ArrayList<>(List.of(member.self()));
    all.addAll(member.others());
    ServerAccess secret = member.secret();
    return new ServerAccess(
        AccessFile.VERSION,
        all.stream().map(ClusterFile.Member::agents).toList(),
        secret.certificate(),
        secret.privateKey(),
        "https://" + member.self().rest(),
        secret.certificate(),
        null,
        secret.user(),
        secret.token(),
        member.others().stream().map(other -> "https://" + other.rest()).toList());
  }
}
