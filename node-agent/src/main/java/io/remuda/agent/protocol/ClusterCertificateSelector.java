package io.remuda.agent.protocol;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.stream.IntStream;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;

/**
 * The keys that a member of a cluster can show. A listener shows the first one. Who dials shows the
 * first one that the listener accepts, by the names in its request: so a member that has the next
 * key, too, is welcome both before and after the old one is dropped. Names are its alias: its
 * index.
 */
final class ClusterCertificateSelector extends X509ExtendedKeyManager {

  /** A key and its certificate. */
  record ShownKey(X509Certificate certificate, PrivateKey secret) {

    boolean isAmong(Principal[] accepted) {
      return List.of(accepted).contains(certificate.getIssuerX500Principal());
    }
  }

  private static final String FIRST = "0";

  private final List<ShownKey> keys;

  ClusterCertificateSelector(List<ShownKey> keys) {
    this.keys = List.copyOf(keys);
  }

  @Override
  public String chooseEngineServerAlias(String type, Principal[] issuers, SSLEngine engine) {
    return isHere(type) ? FIRST : null;
  }

  @Override
  public String chooseEngineClientAlias(String[] types, Principal[] accepted, SSLEngine engine) {
    if (List.of(types).stream().noneMatch(this::isHere)) {
      return null;
    }
    return IntStream.range(0, accepted == null ? 0 : keys.size())
        .filter(key -> keys.get(key).isAmong(accepted))
        .mapToObj(Integer::toString)
        .findFirst()
        .orElse(FIRST); // the listener will say no
  }

  private boolean isHere(String type) {
    return type.equals(keys.get(0).certificate().getPublicKey().getAlgorithm());
  }

  @Override
  public X509Certificate[] getCertificateChain(String alias) {
    return new X509Certificate[] {keys.get(Integer.parseInt(alias)).certificate()};
  }

  @Override
  public PrivateKey getPrivateKey(String alias) {
    return keys.get(Integer.parseInt(alias)).secret();
  }

  @Override
  public String chooseClientAlias(String[] types, Principal[] accepted, Socket socket) {
    return chooseEngineClientAlias(types, accepted, null);
  }

  @Override
  public String chooseServerAlias(String type, Principal[] issuers, Socket socket) {
    return chooseEngineServerAlias(type, issuers, null);
  }

  @Override
  public String[] getClientAliases(String type, Principal[] issuers) {
    return getServerAliases(type, issuers);
  }

  @Override
  public String[] getServerAliases(String type, Principal[] issuers) {
    return IntStream.range(0, keys.size()).mapToObj(Integer::toString).toArray(String[]::new);
  }
}
