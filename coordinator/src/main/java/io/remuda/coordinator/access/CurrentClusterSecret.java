package io.remuda.coordinator.access;

import io.remuda.agent.protocol.ClusterTls;
import java.security.GeneralSecurityException;
import java.util.List;

/** The secret of a cluster as a member has it at present, and the TLS with it. Thread-safe. */
public final class CurrentClusterSecret {

  private final ClusterTls tls;
  private volatile ClusterSecret secret;

  /** Begins with a secret. */
  public CurrentClusterSecret(ClusterSecret secret) throws GeneralSecurityException {
    this.secret = secret;
    this.tls = ClusterTls.of(secret.agents(List.of()));
  }

  public ClusterSecret get() {
    return secret;
  }

  /** Returns TLS with the keys of the moment in which a connection begins. */
  public ClusterTls tls() {
    return tls;
  }

  /** Replaces the keys; connections that exist stay. */
  public synchronized void renew(ClusterSecret next) throws GeneralSecurityException {
    tls.renew(next.agents(List.of()));
    secret = next;
  }
}
