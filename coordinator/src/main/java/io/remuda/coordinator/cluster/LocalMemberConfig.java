package io.remuda.coordinator.cluster;

import io.remuda.coordinator.access.ClusterSecret;
import io.remuda.coordinator.access.CurrentClusterSecret;
import io.remuda.coordinator.access.ServerAccessFile;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;

/**
 * The configuration of this process as a member of a cluster of coordinators, with the secret of
 * the cluster.
 *
 * @param self this one
 * @param secretFile the file with the secret
 * @param secret keys, owner and the owner's token, equal on all of them but for the moments in
 *     which a new key is taken up
 */
public record LocalMemberConfig(
    ClusterFile cluster, ClusterFile.Member self, Path secretFile, CurrentClusterSecret secret) {

  /** Ends the name of the file with the secret, which lies beside the cluster's. */
  private static final String SECRET = ".key";

  /** Returns the file with the secret of a cluster. */
  public static Path secretOf(Path file) {
    String name = file.getFileName().toString().replaceFirst("\\.ya?ml$", "");
    return file.resolveSibling(name + SECRET);
  }

  /**
   * Reads the files of a cluster.
   *
   * @param name of this member; null for the one with an address of this machine
   * @throws IOException if a file is missing, damaged or may be read by others, or if no member, or
   *     more than one, is meant
   */
  public static LocalMemberConfig read(Path file, String name) throws IOException {
    ClusterFile cluster = ClusterFile.read(file);
    Path secretFile = secretOf(file);
    ClusterSecret secret =
        ClusterSecret.read(secretFile)
            .orElseThrow(
                () ->
                    new IOException(
                        secretFile
                            + " is missing: remuda cluster init has written it; copy it from"
                            + " there, readable for its owner alone"));
    try {
      return new LocalMemberConfig(
          cluster, self(cluster, name), secretFile, new CurrentClusterSecret(secret));
    } catch (GeneralSecurityException unusable) {
      throw new IOException(secretFile + " is damaged: " + unusable.getMessage(), unusable);
    }
  }

  private static ClusterFile.Member self(ClusterFile cluster, String name) throws IOException {
    List<ClusterFile.Member> candidates =
        cluster.members().stream()
            .filter(member -> name == null ? isHere(member) : member.name().equals(name))
            .toList();
    if (candidates.size() == 1) {
      return candidates.get(0);
    }
    String all =
        String.join(", ", cluster.members().stream().map(ClusterFile.Member::name).toList());
    throw new IOException(
        name != null
            ? "--member " + name + ": the cluster's file has no such member, but " + all
            : candidates.isEmpty()
                ? "no member of the cluster's file has an address of this machine: say which this"
                    + " is, with --member ("
                    + all
                    + ")"
                : "several members have an address of this machine: say which this is, with"
                    + " --member ("
                    + all
                    + ")");
  }

  private static boolean isHere(ClusterFile.Member member) {
    try {
      for (InetAddress address : InetAddress.getAllByName(member.host())) {
        if (address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null) {
          return true;
        }
      }
      return false;
    } catch (UnknownHostException | java.net.SocketException unknown) {
      return false;
    }
  }

  /** Returns the other members. */
  public List<ClusterFile.Member> others() {
    return cluster.members().stream().filter(member -> !member.equals(self)).toList();
  }

  /** Returns the owner's access to a member, with the keys of this moment. */
  public ServerAccessFile accessTo(ClusterFile.Member member) {
    return secret.get().owner("https://" + member.rest(), null);
  }
}
