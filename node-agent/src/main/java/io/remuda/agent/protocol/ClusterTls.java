package io.remuda.agent.protocol;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManagerFactory;

/**
 * TLS 1.3 with mutual authentication between the members of one cluster. Both sides present the
 * cluster's certificate and trust no other. Host names are not checked, since the private key makes
 * a process a member. Thread-safe.
 */
public final class ClusterTls {

  private static final char[] IN_MEMORY = "in-memory".toCharArray();

  private final SSLContext context;

  private ClusterTls(SSLContext context) {
    this.context = context;
  }

  /** Creates the TLS context from the certificate and key of an access file. */
  public static ClusterTls of(AccessFile access) throws GeneralSecurityException {
    Certificate certificate = certificate(access.certificate());
    KeyStore identity = empty();
    identity.setKeyEntry(
        "cluster", privateKey(access.privateKey()), IN_MEMORY, new Certificate[] {certificate});
    KeyStore trusted = empty();
    trusted.setCertificateEntry("cluster", certificate);
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(identity, IN_MEMORY);
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLSv1.3");
    context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
    return new ClusterTls(context);
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
    engine.setEnabledProtocols(new String[] {"TLSv1.3"});
    return engine;
  }

  /**
   * Returns an empty store of a format without key stretching; its password protects nothing here.
   */
  private static KeyStore empty() throws GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("JKS");
    try {
      store.load(null, null);
    } catch (java.io.IOException impossible) {
      throw new GeneralSecurityException("cannot create an empty key store", impossible);
    }
    return store;
  }

  private static Certificate certificate(String pem) throws GeneralSecurityException {
    return CertificateFactory.getInstance("X.509")
        .generateCertificate(new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII)));
  }

  private static PrivateKey privateKey(String pem) throws GeneralSecurityException {
    String base64 = pem.replaceAll("-----[A-Z ]+-----", "").replaceAll("\\s", "");
    return KeyFactory.getInstance("EC")
        .generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(base64)));
  }
}
