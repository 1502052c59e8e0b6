package io.remuda.agent.protocol;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.remuda.agent.testkit.TestKeys;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
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

  /** Passes what one engine says to the other until neither has anything to say. */
  private static void shakeHands(SSLEngine client, SSLEngine server) throws SSLException {
    ByteBuffer toServer = ByteBuffer.allocate(1 << 16);
    ByteBuffer toClient = ByteBuffer.allocate(1 << 16);
    client.beginHandshake();
    server.beginHandshake();
    for (int round = 0; round < 20; round++) {
      say(client, toServer);
      hear(server, toServer);
      say(server, toClient);
      hear(client, toClient);
    }
  }

  private static void say(SSLEngine engine, ByteBuffer wire) throws SSLException {
    runTasks(engine);
    while (engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP) {
      engine.wrap(ByteBuffer.allocate(0), wire);
      runTasks(engine);
    }
  }

  private static void hear(SSLEngine engine, ByteBuffer wire) throws SSLException {
    wire.flip();
    while (wire.hasRemaining()
        && engine.getHandshakeStatus() != HandshakeStatus.NEED_WRAP
        && !engine.isInboundDone()) {
      engine.unwrap(wire, ByteBuffer.allocate(1 << 15));
      runTasks(engine);
    }
    wire.compact();
  }

  private static void runTasks(SSLEngine engine) {
    for (Runnable task = engine.getDelegatedTask();
        task != null;
        task = engine.getDelegatedTask()) {
      task.run();
    }
  }

  @Test
  void two_members_of_one_cluster_know_each_other() throws Exception {
    SSLEngine client = OURS.client();
    SSLEngine server = OURS.server();
    shakeHands(client, server);
    assertEquals("TLSv1.3", client.getSession().getProtocol());
    assertArrayEquals(
        client.getSession().getPeerCertificates(), server.getSession().getPeerCertificates());
  }

  @Test
  void a_listener_with_another_key_is_refused() {
    assertThrows(SSLHandshakeException.class, () -> shakeHands(OURS.client(), OTHERS.server()));
  }

  @Test
  void a_caller_with_another_key_is_refused() throws Exception {
    SSLEngine stranger = carelessClient(TestKeys.access("ours", List.of()));
    assertThrows(SSLHandshakeException.class, () -> shakeHands(stranger, OURS.server()));
  }

  @Test
  void a_caller_that_shows_no_certificate_is_refused() throws Exception {
    SSLEngine client = carelessClient(null);
    assertThrows(SSLHandshakeException.class, () -> shakeHands(client, OURS.server()));
  }

  @Test
  void both_sides_speak_tls_1_3_and_nothing_older() throws Exception {
    assertArrayEquals(new String[] {"TLSv1.3"}, OURS.client().getEnabledProtocols());
    assertArrayEquals(new String[] {"TLSv1.3"}, OURS.server().getEnabledProtocols());
    SSLEngine old = OURS.client();
    old.setEnabledProtocols(new String[] {"TLSv1.2"});
    assertThrows(SSLException.class, () -> shakeHands(old, OURS.server()));
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
