package io.remuda.coordinator.cluster;

import io.remuda.agent.protocol.AccessFile;
import io.remuda.coordinator.access.ClusterSecret;
import io.remuda.coordinator.access.ServerAccessFile;
import java.util.ArrayList;
import java.util.List;

/** The access file that a member writes: it knows all members, the member itself first. */
public final class MemberAccessFile {

  private MemberAccessFile() {}

  /** Returns the content of the file, for agents and for the owner's commands. */
  public static ServerAccessFile of(LocalMemberConfig member) {
    return of(member, member.secret().get());
  }

  /** Returns the content of the file with another secret. */
  static ServerAccessFile of(LocalMemberConfig member, ClusterSecret secret) {
    List<ClusterFile.Member> all = new ArrayList<>(List.of(member.self()));
    all.addAll(member.others());
    AccessFile agents = secret.agents(all.stream().map(ClusterFile.Member::agents).toList());
    ServerAccessFile owner =
        secret.owner(
            "https://" + member.self().rest(),
            member.others().stream().map(other -> "https://" + other.rest()).toList());
    return new ServerAccessFile(
        owner.version(),
        agents.contacts(),
        agents.certificate(),
        agents.privateKey(),
        owner.rest(),
        owner.pin(),
        owner.insecure(),
        owner.user(),
        owner.token(),
        owner.others(),
        agents.trusted(),
        agents.next(),
        agents.cluster());
  }
}
