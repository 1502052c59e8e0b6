package io.remuda.agent.protocol;

import io.remuda.agent.protocol.ClusterCertificateSelector.ShownKey;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManagerFactory;

/**
 * TLS 1.3 with mutual authentication between the members of one cluster. Both sides present the
 * cluster's certificate and trust no other, but for a second one while the cluster's key is
 * renewed. Host names are not checked, since the private key makes a process a member. Thread-safe.
 */
public final class ClusterTls {

  /** The only version that is used. */
  public static final String PROTOCOL = "TLSv1.3";

  private static final String QUICK = "TLS_CHACHA20_POLY1305_SHA256";

  private volatile SSLContext context;

  private ClusterTls(SSLContext context) {
    this.context = context;
  }

  /** Returns TLS with the certificates and the key of an access file. */
  public static ClusterTls of(AccessFile access) throws GeneralSecurityException {
    return new ClusterTls(context(access));
  }

  /**
   * Replaces certificates and key. Engines that are made from now on use them, and resume no
   * session of the earlier ones; connections that exist stay.
   */
  public void renew(AccessFile access) throws GeneralSecurityException {
    context = context(access);
  }

  private static SSLContext context(AccessFile access) throws GeneralSecurityException {
    List<ShownKey> keys = new ArrayList<>(List.of(key(access.certificate(), access.privateKey())));
    KeyStore trusted = empty();
    trusted.setCertificateEntry("0", keys.get(0).certificate());
    for (String further : access.trusted() == null ? List.<String>of() : access.trusted()) {
      trusted.setCertificateEntry(Integer.toString(trusted.size()), certificate(further));
    }
    if (access.next() != null) {
      keys.add(key(access.next().certificate(), access.next().privateKey()));
    }
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance(PROTOCOL);
    context.init(
        new KeyManager[] {new ClusterCertificateSelector(keys)}, trust.getTrustManagers(), null);
    return context;
  }

  private static ShownKey key(String certificate, String privateKey)
      throws GeneralSecurityException {
    return new ShownKey(certificate(certificate), privateKey(privateKey));
  }

  /** Returns an engine for the side that dials. */
  public SSLEngine client() {
    return engine(true);
  }

  /** Returns an engine for the side that listens; it rejects peers without the cluster's key. */
  public SSLEngine server() {
    SSLEngine engine = engine(false);
    engine.setNeedClientAuth(true);
    return engine;
  }

  /**
   * Returns an engine for a listener that authenticates peers differently, for example by a token.
   */
  public SSLEngine serverForAnyone() {
    return engine(false);
  }

  private SSLEngine engine(boolean client) {
    SSLEngine engine = context.createSSLEngine();
    engine.setUseClientMode(client);
    engine.setSSLParameters(chosen(engine.getSSLParameters()));
    return engine;
  }

  /**
   * Returns these parameters with TLS 1.3 alone, and ChaCha20-Poly1305 before the ciphers of the
   * JDK's own choice: AES needs instructions that only the optimising compiler uses, which does not
   * run here.
   */
  public static SSLParameters chosen(SSLParameters parameters) {
    parameters.setProtocols(new String[] {PROTOCOL});
    String[] suites = parameters.getCipherSuites();
    int at = Arrays.asList(suites).indexOf(QUICK);
    if (at > 0) {
      System.arraycopy(suites, 0, suites, 1, at);
      suites[0] = QUICK;
      parameters.setCipherSuites(suites);
    }
    return parameters;
  }

  /** Returns an empty store of a format without key stretching. */
  private static KeyStore empty() throws GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("JKS");
    try {
      store.load(null, null);
    } catch (java.io.IOException impossible) {
      throw new GeneralSecurityException("cannot create an empty key store", impossible);
    }
    return store;
  }

  private static X509Certificate certificate(String pem) throws GeneralSecurityException {
    return (X509Certificate)
        CertificateFactory.getInstance("X.509")
            .generateCertificate(new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII)));
  }

  private static PrivateKey privateKey(String pem) throws GeneralSecurityException {
    String base64 = pem.replaceAll("-----[A-Z ]+-----", "").replaceAll("\\s", "");
    return KeyFactory.getInstance("EC")
        .generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(base64)));
  }
}
