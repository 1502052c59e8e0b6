package io.remuda.coordinator.access;

import java.util.List;

/**
 * The keys of a cluster. Its key is renewed in three steps: first all trust the next key, then they
 * show it, then they trust the old one no more. So at each step those who have taken it up and
 * those who have not trust each other.
 */
public sealed interface RotatingClusterKeys {

  /** One key, which is shown and the only one that is trusted. */
  record Settled(ClusterKey key) implements RotatingClusterKeys {}

  /** After the first step: the next key is trusted, too. */
  record Announced(ClusterKey key, ClusterKey next) implements RotatingClusterKeys {}

  /** After the second step: the certificate of the key before is still trusted. */
  record Replaced(ClusterKey key, ClusterCertificate before) implements RotatingClusterKeys {}

  /** Returns the key that is shown. */
  ClusterKey key();

  /** Returns the certificates that are trusted besides that of {@link #key}. */
  default List<ClusterCertificate> furtherTrusted() {
    if (this instanceof Announced announced) {
      return List.of(announced.next().certificate());
    }
    return this instanceof Replaced replaced ? List.of(replaced.before()) : List.of();
  }
}
