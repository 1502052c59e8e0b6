package io.remuda.coordinator.cluster;

import io.remuda.coordinator.access.ClusterSecret;
import io.remuda.coordinator.access.CurrentClusterSecret;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;

/** Members of clusters for tests. */
public final class MemberSamples {

  private MemberSamples() {}

  /**
   * Returns the member {@code a} of three.
   *
   * @param network that all three are in, such as {@code 127.0.0}
   */
  public static LocalMemberConfig first(String network, Path secretFile, ClusterSecret secret)
      throws IOException, GeneralSecurityException {
    ClusterFile cluster =
        ClusterFile.of(
            "jdbc:postgresql://db/remuda",
            List.of(
                ClusterFile.member("a", network + ".1:7410"),
                ClusterFile.member("b", network + ".2:7410"),
                ClusterFile.member("c", network + ".3:7410")));
    return new LocalMemberConfig(
        cluster, cluster.members().get(0), secretFile, new CurrentClusterSecret(secret));
  }
}
