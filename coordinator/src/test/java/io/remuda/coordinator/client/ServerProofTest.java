package io.remuda.coordinator.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.protocol.AccessFile;
import io.remuda.coordinator.access.ClusterKey;
import io.remuda.coordinator.access.ServerAccessFile;
import io.remuda.coordinator.testkit.TlsListener;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the client sends, and to which server. */
@Tag("attack")
@Tag("attack-local-user")
@Timeout(60)
class ServerProofTest {

  private static final String TOKEN = "a-token-that-nobody-else-may-see";
  private static final String JOBS =
      "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 11\r\n\r\n{\"jobs\":[]}";

  private static AccessFile server;

  @BeforeAll
  static void makeKey() throws Exception {
    server = key("owner");
  }

  private static AccessFile key(String name) throws Exception {
    return ClusterKey.create(name, Instant.now()).access(List.of("127.0.0.1:1"));
  }

  private static ServerAccessFile access(String rest, String pin, Boolean insecure, String key) {
    return new ServerAccessFile(1, null, null, key, rest, pin, insecure, "ann", TOKEN);
  }

  private static ServerAccessFile ofCluster(
      String rest, List<String> others, List<String> trusted) {
    String pin = server.certificate();
    return new ServerAccessFile(
        1, null, null, null, rest, pin, null, "ann", TOKEN, others, trusted, null, null);
  }

  private static RestClient client(TlsListener listener) {
    return clientAt(listener.port());
  }

  private static RestClient clientAt(int port) {
    return new RestClient(access("https://127.0.0.1:" + port, server.certificate(), null, null));
  }

  private static TlsListener showing(AccessFile identity) throws Exception {
    return TlsListener.showing(0, List.of(identity.certificate()), identity.privateKey(), JOBS);
  }

  private static String refused(RestClient client) {
    RestFailureException no = assertThrows(RestFailureException.class, () -> client.get("/jobs"));
    assertEquals(RestFailureException.NO_SERVER, no.status(), no::getMessage);
    return no.getMessage();
  }

  @Test
  void the_server_of_the_access_file_is_told_the_token_on_one_kept_connection() throws Exception {
    try (TlsListener listener = showing(server)) {
      RestClient client = client(listener);
      for (int i = 0; i < 3; i++) {
        assertTrue(client.get("/jobs").path("jobs").isArray());
      }
      assertEquals(3, listener.heard().size());
      assertEquals(1, listener.accepted());
      assertTrue(listener.heard().get(0).contains("Authorization: Bearer " + TOKEN));
    }
  }

  @Test
  void one_that_shows_the_next_key_of_the_cluster_is_told_the_token() throws Exception {
    AccessFile next = key("owner");
    try (TlsListener listener = showing(next)) {
      String rest = "https://127.0.0.1:" + listener.port();
      List<String> trusted = List.of(next.certificate());
      ServerAccessFile both = ofCluster(rest, null, trusted);
      assertTrue(new RestClient(both).get("/jobs").path("jobs").isArray());
      String pins = String.join("\n", CurlConfig.lines(both, "/jobs"));
      assertTrue(pins.matches("(?s).*pinnedpubkey = \"sha256//[^;]+;sha256//[^;]+\".*"), pins);
    }
  }

  @Test
  void a_user_of_a_cluster_is_told_that_its_key_may_be_a_new_one() throws Exception {
    try (TlsListener listener = showing(key("owner"))) {
      String rest = "https://127.0.0.1:" + listener.port();
      assertTrue(
          refused(new RestClient(ofCluster(rest, List.of(rest), null)))
              .contains("get a new access file"));
      assertFalse(refused(client(listener)).contains("get a new access file"));
    }
  }

  @Test
  void one_with_another_certificate_of_the_same_name_is_told_nothing() throws Exception {
    try (TlsListener listener = showing(key("owner"))) {
      assertTrue(refused(client(listener)).contains("is not this server, and was told nothing"));
      assertEquals(List.of(), listener.heard());
    }
  }

  @Test
  void one_whose_certificate_the_servers_key_has_signed_is_told_nothing() throws Exception {
    AccessFile evil = key("owner");
    List<String> chain = List.of(signedByServer(evil), server.certificate());
    try (TlsListener listener = TlsListener.showing(0, chain, evil.privateKey(), JOBS)) {
      assertTrue(refused(client(listener)).contains("is not this server"));
      assertEquals(List.of(), listener.heard());
    }
  }

  @Test
  void one_without_tls_is_sent_the_first_message_of_a_handshake_and_no_token() throws Exception {
    try (TlsListener listener = TlsListener.plain(JOBS)) {
      assertThrows(IOException.class, () -> client(listener).get("/jobs"));
      assertEquals(1, listener.accepted());
      assertFalse(String.join("", listener.heard()).contains(TOKEN), listener.heard()::toString);
    }
  }

  @Test
  void one_that_closes_at_once_is_no_server_and_no_impostor() throws Exception {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread closes =
          new Thread(
              () -> {
                while (!socket.isClosed()) {
                  try {
                    socket.accept().close();
                  } catch (IOException over) {
                    return; // the test has ended
                  }
                }
              });
      closes.start();
      assertTrue(refused(clientAt(socket.getLocalPort())).contains("no server answers"));
    }
  }

  @Test
  void a_redirect_takes_the_token_nowhere() throws Exception {
    try (TlsListener elsewhere = showing(server)) {
      String moved =
          "HTTP/1.1 307 Temporary Redirect\r\nLocation: https://127.0.0.1:"
              + elsewhere.port()
              + "/api/v1/jobs\r\nContent-Length: 0\r\n\r\n";
      try (TlsListener listener =
          TlsListener.showing(0, List.of(server.certificate()), server.privateKey(), moved)) {
        RestFailureException no =
            assertThrows(RestFailureException.class, () -> client(listener).get("/jobs"));
        assertEquals(307, no.status());
        assertEquals(List.of(), elsewhere.heard());
      }
    }
  }

  @Test
  void an_access_file_of_a_build_without_tls_is_not_used() throws Exception {
    try (TlsListener listener = TlsListener.plain(JOBS)) {
      String rest = "http://127.0.0.1:" + listener.port();
      RestClient owners = new RestClient(access(rest, null, null, "key"));
      assertTrue(refused(owners).contains("start this build's with remuda serve"));
      RestFailureException no =
          assertThrows(
              RestFailureException.class,
              () -> new RestClient(access(rest, null, null, null)).get("/jobs"));
      assertEquals(RestFailureException.REFUSED_HERE, no.status());
      assertTrue(no.getMessage().contains("remuda user add ann"), no::getMessage);
      assertEquals(List.of(), listener.heard());
    }
  }

  @Test
  void only_a_server_that_was_started_insecurely_is_told_the_token_in_clear_text()
      throws Exception {
    try (TlsListener listener = TlsListener.plain(JOBS)) {
      String rest = "http://127.0.0.1:" + listener.port();
      RestClient client = new RestClient(access(rest, null, true, null));
      assertTrue(client.isInsecure());
      assertTrue(client.get("/jobs").path("jobs").isArray());
      assertTrue(listener.heard().get(0).contains(TOKEN));
      String other = "https://127.0.0.1:" + listener.port();
      assertFalse(
          new RestClient(access(other, server.certificate(), true, null)).isInsecure(),
          "what names TLS uses it");
    }
  }

  /** A certificate for another's key, signed with the server's. */
  private static String signedByServer(AccessFile other) throws Exception {
    X509Certificate issuer = certificate(server.certificate());
    byte[] bytes =
        Base64.getMimeDecoder().decode(server.privateKey().replaceAll("-----[A-Z ]+-----", ""));
    PrivateKey key = KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(bytes));
    X509Certificate leaf =
        new JcaX509CertificateConverter()
            .getCertificate(
                new JcaX509v3CertificateBuilder(
                        issuer,
                        BigInteger.TEN,
                        Date.from(Instant.now().minusSeconds(60)),
                        Date.from(Instant.now().plusSeconds(3600)),
                        new X500Name("CN=remuda owner"),
                        certificate(other.certificate()).getPublicKey())
                    .build(new JcaContentSignerBuilder("SHA256withECDSA").build(key)));
    StringWriter text = new StringWriter();
    try (JcaPEMWriter writer = new JcaPEMWriter(text)) {
      writer.writeObject(leaf);
    }
    return text.toString();
  }

  private static X509Certificate certificate(String pem) throws Exception {
    return (X509Certificate)
        CertificateFactory.getInstance("X.509")
            .generateCertificate(new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII)));
  }
}
