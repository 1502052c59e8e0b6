package io.remuda.agent.protocol;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.remuda.agent.testkit.TestKeys;
import io.remuda.telemetry.testkit.TlsHandshake;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.Test;

class ClusterTlsTest {
  private static final ClusterTls OURS = cluster("ours");
  private static final ClusterTls OTHERS = cluster("ours"); // the same name, another key

  private static ClusterTls cluster(String name) {
    try {
      return ClusterTls.of(TestKeys.access(name, List.of()));
    } catch (GeneralSecurityException fault) {
      throw new IllegalStateException(fault);
    }
  }

  @Test
  void two_members_of_one_cluster_know_each_other() throws Exception {
    SSLEngine client = OURS.client();
    SSLEngine server = OURS.server();
    TlsHandshake.run(client, server);
    assertEquals("TLSv1.3", client.getSession().getProtocol());
    assertArrayEquals(
        client.getSession().getPeerCertificates(), server.getSession().getPeerCertificates());
  }

  @Test
  void the_cipher_is_the_one_that_the_quick_compiler_runs_fast() throws Exception {
    SSLEngine client = OURS.client();
    TlsHandshake.run(client, OURS.server());
    assertEquals("TLS_CHACHA20_POLY1305_SHA256", client.getSession().getCipherSuite());
  }

  @Test
  void a_caller_without_that_cipher_is_spoken_to_with_another() throws Exception {
    SSLEngine client = OURS.client();
    client.setEnabledCipherSuites(new String[] {"TLS_AES_128_GCM_SHA256"});
    TlsHandshake.run(client, OURS.server());
    assertEquals("TLS_AES_128_GCM_SHA256", client.getSession().getCipherSuite());
  }

  @Test
  void a_listener_with_another_key_is_refused() {
    assertThrows(
        SSLHandshakeException.class, () -> TlsHandshake.run(OURS.client(), OTHERS.server()));
  }

  @Test
  void a_caller_with_another_key_is_refused() throws Exception {
    SSLEngine stranger = carelessClient(TestKeys.access("ours", List.of()));
    assertThrows(SSLHandshakeException.class, () -> TlsHandshake.run(stranger, OURS.server()));
  }

  @Test
  void a_caller_that_shows_no_certificate_is_refused() throws Exception {
    SSLEngine client = carelessClient(null);
    assertThrows(SSLHandshakeException.class, () -> TlsHandshake.run(client, OURS.server()));
  }

  @Test
  void a_listener_that_trusts_a_further_certificate_takes_callers_with_either_key()
      throws Exception {
    AccessFile one = TestKeys.access("one", List.of());
    AccessFile two = TestKeys.access("two", List.of());
    ClusterTls both = ClusterTls.of(with(one, List.of(two.certificate()), null));
    TlsHandshake.run(carelessClient(one), both.server());
    TlsHandshake.run(carelessClient(two), both.server());
    assertThrows(
        SSLHandshakeException.class,
        () -> TlsHandshake.run(carelessClient(TestKeys.access("two", List.of())), both.server()));
  }

  @Test
  void a_caller_with_two_keys_shows_the_one_that_the_listener_accepts() throws Exception {
    AccessFile one = TestKeys.access("one", List.of());
    AccessFile two = TestKeys.access("two", List.of());
    ClusterTls both =
        ClusterTls.of(
            with(
                one,
                List.of(two.certificate()),
                new AccessFile.NextKey(two.certificate(), two.privateKey())));
    TlsHandshake.run(both.client(), ClusterTls.of(one).server());
    TlsHandshake.run(both.client(), ClusterTls.of(two).server());
    SSLEngine client = both.client();
    TlsHandshake.run(client, ClusterTls.of(with(two, List.of(one.certificate()), null)).server());
    assertEquals(name(one), subject(client), "the first one, if both are accepted");
    SSLEngine server = both.server();
    TlsHandshake.run(ClusterTls.of(one).client(), server);
    assertEquals(name(one), subject(server), "a listener shows the first one");
  }

  @Test
  void a_key_that_is_renewed_is_shown_by_the_next_connection() throws Exception {
    AccessFile next = TestKeys.access("next", List.of());
    ClusterTls tls = ClusterTls.of(TestKeys.access("before", List.of()));
    assertThrows(
        SSLHandshakeException.class,
        () -> TlsHandshake.run(ClusterTls.of(next).client(), tls.server()));
    tls.renew(next);
    TlsHandshake.run(ClusterTls.of(next).client(), tls.server());
    TlsHandshake.run(tls.client(), ClusterTls.of(next).server());
  }

  private static AccessFile with(AccessFile access, List<String> trusted, AccessFile.NextKey next) {
    return new AccessFile(
        1, List.of(), access.certificate(), access.privateKey(), trusted, next, null);
  }

  private static String name(AccessFile access) throws Exception {
    return ((X509Certificate)
            CertificateFactory.getInstance("X.509")
                .generateCertificate(
                    new ByteArrayInputStream(
                        access.certificate().getBytes(StandardCharsets.US_ASCII))))
        .getSubjectX500Principal()
        .getName();
  }

  private static String subject(SSLEngine engine) {
    return ((X509Certificate) engine.getSession().getLocalCertificates()[0])
        .getSubjectX500Principal()
        .getName();
  }

  @Test
  void both_sides_speak_tls_1_3_and_nothing_older() throws Exception {
    assertArrayEquals(new String[] {"TLSv1.3"}, OURS.client().getEnabledProtocols());
    assertArrayEquals(new String[] {"TLSv1.3"}, OURS.server().getEnabledProtocols());
    SSLEngine old = OURS.client();
    old.setEnabledProtocols(new String[] {"TLSv1.2"});
    assertThrows(SSLException.class, () -> TlsHandshake.run(old, OURS.server()));
  }

  @Test
  void a_key_that_is_none_is_a_fault_and_not_a_crash() {
    AccessFile good = TestKeys.access("ours", List.of());
    assertThrows(
        GeneralSecurityException.class,
        () -> ClusterTls.of(new AccessFile(1, List.of(), good.certificate(), "c2VjcmV0")));
    assertThrows(
        GeneralSecurityException.class,
        () -> ClusterTls.of(new AccessFile(1, List.of(), "no certificate", good.privateKey())));
  }

  /** A caller that trusts everybody, so that only the listener can refuse; key may be null. */
  private static SSLEngine carelessClient(AccessFile key) throws Exception {
    SSLContext context = SSLContext.getInstance("TLSv1.3");
    context.init(
        key == null ? null : TestKeys.keyManagers(key),
        new TrustManager[] {new TrustEverybody()},
        new SecureRandom());
    SSLEngine client = context.createSSLEngine();
    client.setUseClientMode(true);
    return client;
  }

  private static final class TrustEverybody implements X509TrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
