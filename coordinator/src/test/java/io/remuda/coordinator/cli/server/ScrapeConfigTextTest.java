package io.remuda.coordinator.cli.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.access.ClusterCertificate;
import io.remuda.coordinator.access.ClusterKey;
import io.remuda.coordinator.access.ServerAccessFile;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.junit.jupiter.api.Test;

class ScrapeConfigTextTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final Path TOKEN = Path.of("/h/it's/token");

  private static String lines(ServerAccessFile access, Path certificate) throws IOException {
    return String.join("\n", ScrapeConfigText.lines(access, TOKEN, certificate)) + "\n";
  }

  private static ServerAccessFile access(String rest, String pin) {
    return new ServerAccessFile(2, null, null, null, rest, pin, null, "ann", "t");
  }

  /** A certificate as builds made it that knew no names of hosts. */
  private static String earlierCertificate() throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(256);
    KeyPair pair = generator.generateKeyPair();
    X500Name name = new X500Name("CN=remuda ann");
    return new ClusterCertificate(
            new JcaX509CertificateConverter()
                .getCertificate(
                    new JcaX509v3CertificateBuilder(
                            name,
                            BigInteger.ONE,
                            Date.from(NOW),
                            Date.from(NOW.plus(Duration.ofDays(30))),
                            name,
                            pair.getPublic())
                        .build(
                            new JcaContentSignerBuilder("SHA256withECDSA")
                                .build(pair.getPrivate()))))
        .pem();
  }

  @Test
  void two_jobs_have_the_token_and_check_the_certificate() throws Exception {
    String pin = ClusterKey.create("ann", NOW).certificate().pem();
    String text = lines(access("https://10.0.0.7:4711", pin), Path.of("/h/ca.pem"));
    assertEquals(
        """
        # The account of Prometheus must be able to read the files that are named here.
        scrape_configs:
          - job_name: remuda
            metrics_path: /metrics
            scheme: https
            authorization:
              credentials_file: '/h/it''s/token'
            tls_config:
              ca_file: '/h/ca.pem'
              # whatever the address: the certificate itself is trusted, and no other
              server_name: 127.0.0.1
            static_configs:
              - targets: ['10.0.0.7:4711']
          - job_name: remuda-dcgm
            metrics_path: /metrics/dcgm
            scheme: https
            authorization:
              credentials_file: '/h/it''s/token'
            tls_config:
              ca_file: '/h/ca.pem'
              # whatever the address: the certificate itself is trusted, and no other
              server_name: 127.0.0.1
            static_configs:
              - targets: ['10.0.0.7:4711']
        """,
        text);
  }

  @Test
  void for_a_certificate_without_names_the_lines_say_why_it_is_not_checked() throws Exception {
    String text =
        lines(access("https://127.0.0.1:4711", earlierCertificate()), Path.of("/h/ca.pem"));
    assertTrue(text.contains("insecure_skip_verify: true"), text);
    assertTrue(text.contains("remuda cluster renew-key"), text);
    assertFalse(text.contains("server_name"), text);
  }

  @Test
  void a_server_without_tls_has_no_part_of_it() throws Exception {
    String text = lines(access("http://127.0.0.1:4711", null), null);
    assertTrue(text.contains("scheme: http\n"), text);
    assertFalse(text.contains("tls_config"), text);
  }
}
