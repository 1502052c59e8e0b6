package io.remuda.coordinator.access;

import io.remuda.agent.protocol.AccessFile;
import io.remuda.agent.settings.OwnFiles;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.math.BigInteger;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * An elliptic-curve key (P-256) with a self-signed certificate, which all members of the cluster
 * present and which is the only one that they trust.
 */
public final class ClusterKey {

  private static final Duration CLOCK_SKEW = Duration.ofDays(1);
  private static final Duration LIFETIME = Duration.ofDays(3650);

  private final KeyPair pair;
  private final X509Certificate certificate;

  private ClusterKey(KeyPair pair, X509Certificate certificate) {
    this.pair = pair;
    this.certificate = certificate;
  }

  /** Creates a key; {@code name} becomes part of the certificate's subject. */
  public static ClusterKey create(String name, Instant now) throws GeneralSecurityException {
    SecureRandom random = new SecureRandom();
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(new ECGenParameterSpec("secp256r1"), random);
    KeyPair pair = generator.generateKeyPair();
    X500Name subject = new X500Name("CN=remuda " + name.replaceAll("[^A-Za-z0-9.-]", "_"));
    try {
      return new ClusterKey(
          pair,
          new JcaX509CertificateConverter()
              .getCertificate(
                  new JcaX509v3CertificateBuilder(
                          subject,
                          new BigInteger(120, random),
                          Date.from(now.minus(CLOCK_SKEW)),
                          Date.from(now.plus(LIFETIME)),
                          subject,
                          pair.getPublic())
                      .build(
                          new JcaContentSignerBuilder("SHA256withECDSA")
                              .build(pair.getPrivate()))));
    } catch (OperatorCreationException fault) {
      throw new GeneralSecurityException("cannot sign the cluster's certificate", fault);
    }
  }

  /** Returns the key of an access file. */
  public static ClusterKey of(AccessFile access) throws GeneralSecurityException, IOException {
    try (PEMParser pem = new PEMParser(new StringReader(access.certificate()))) {
      X509Certificate certificate =
          new JcaX509CertificateConverter()
              .getCertificate((X509CertificateHolder) pem.readObject());
      byte[] key =
          Base64.getMimeDecoder().decode(access.privateKey().replaceAll("-----[A-Z ]+-----", ""));
      PrivateKey secret =
          KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(key));
      return new ClusterKey(new KeyPair(certificate.getPublicKey(), secret), certificate);
    } catch (ClassCastException | IllegalArgumentException damaged) {
      throw new IOException("the certificate or the key of the access file is damaged", damaged);
    }
  }

  /** Returns the access file that an agent needs to join. */
  public AccessFile access(List<String> contacts) throws IOException {
    return new AccessFile(AccessFile.VERSION, contacts, pem(certificate), pkcs8());
  }

  private String pkcs8() {
    return "-----BEGIN PRIVATE KEY-----\n"
        + Base64.getMimeEncoder(64, new byte[] {'\n'})
            .encodeToString(pair.getPrivate().getEncoded())
        + "\n-----END PRIVATE KEY-----\n";
  }

  private static String pem(Object value) throws IOException {
    StringWriter text = new StringWriter();
    try (JcaPEMWriter writer = new JcaPEMWriter(text)) {
      writer.writeObject(value);
    }
    return text.toString();
  }

  /**
   * Writes key and certificate as a Java key store with mode 0600, for Artery; replaces an existing
   * file. The mode protects it, as it does the access file. So the format is JKS: PKCS 12 hashes
   * the password tens of thousands of times, which takes a quarter of a second at each start.
   */
  public void writeStore(Path file, char[] password) throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance("JKS");
    store.load(null, null);
    store.setKeyEntry("cluster", pair.getPrivate(), password, new X509Certificate[] {certificate});
    store.setCertificateEntry("trusted", certificate);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    store.store(bytes, password);
    OwnFiles.write(file, bytes.toByteArray());
  }
}
