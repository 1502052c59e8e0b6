package io.remuda.coordinator.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.protocol.AccessFile;
import io.remuda.agent.protocol.ClusterTls;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterKeyTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  @TempDir private Path folder;

  private static ClusterKey key() throws Exception {
    return ClusterKey.create("20260101-000000-1", NOW);
  }

  private static X509Certificate certificate(AccessFile access) throws Exception {
    return (X509Certificate)
        CertificateFactory.getInstance("X.509")
            .generateCertificate(
                new ByteArrayInputStream(access.certificate().getBytes(StandardCharsets.US_ASCII)));
  }

  @Test
  void its_access_file_goes_to_an_agent_and_opens_the_door_there() throws Exception {
    Path file = folder.resolve("access.json");
    key().access(List.of("127.0.0.1:7000")).write(file);
    AccessFile read = AccessFile.read(file);
    assertEquals(List.of("127.0.0.1:7000"), read.contacts());
    assertTrue(ClusterTls.of(read).server().getNeedClientAuth());
    assertTrue(ClusterTls.of(read).client().getUseClientMode());
  }

  @Test
  void its_certificate_is_its_own_and_holds_from_yesterday_for_years() throws Exception {
    X509Certificate certificate = certificate(key().access(List.of()));
    certificate.verify(certificate.getPublicKey());
    assertEquals("EC", certificate.getPublicKey().getAlgorithm());
    certificate.checkValidity(Date.from(NOW.minus(Duration.ofHours(23))));
    certificate.checkValidity(Date.from(NOW.plus(Duration.ofDays(3000))));
    assertThrows(
        java.security.cert.CertificateNotYetValidException.class,
        () -> certificate.checkValidity(Date.from(NOW.minus(Duration.ofDays(2)))));
  }

  @Test
  void no_two_are_the_same() throws Exception {
    AccessFile one = key().access(List.of());
    AccessFile two = key().access(List.of());
    assertNotEquals(one.privateKey(), two.privateKey());
    assertNotEquals(certificate(one).getSerialNumber(), certificate(two).getSerialNumber());
  }

  @Test
  void a_name_with_odd_characters_makes_a_certificate_all_the_same() throws Exception {
    AccessFile access = ClusterKey.create("a, b=\"c\"\n", NOW).access(List.of());
    assertEquals("CN=remuda a__b__c__", certificate(access).getSubjectX500Principal().getName());
  }

  @Test
  void it_is_short_to_name_and_told_apart_from_others() throws Exception {
    ClusterKey key = key();
    String name = key.certificate().fingerprint();
    assertTrue(name.matches("[0-9a-f]{12}"), name);
    assertEquals(name, ClusterKey.of(key.access(List.of())).certificate().fingerprint());
    assertNotEquals(name, key().certificate().fingerprint());
  }

  @Test
  void its_certificate_has_addresses_and_no_names_for_programs_that_check_them() throws Exception {
    ClusterKey key =
        ClusterKey.create("ann", List.of("10.0.0.7", "gpu1.lab", "not a name", "localhost"), NOW);
    assertEquals(List.of("127.0.0.1", "0:0:0:0:0:0:0:1", "10.0.0.7"), key.certificate().hosts());
    assertTrue(key.certificate().isForLoopback());
    assertTrue(key().certificate().isForLoopback());
  }
}
