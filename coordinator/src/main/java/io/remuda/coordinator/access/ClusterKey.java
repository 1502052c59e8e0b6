package io.remuda.coordinator.access;

import io.remuda.agent.protocol.AccessFile;
import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Collection;
import java.util.Date;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.CertIOException;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.util.IPAddress;

/**
 * An elliptic-curve key (P-256) with a self-signed certificate, which all members of the cluster
 * present and which is the only one that they trust, but for a second one while it is renewed. Two
 * are equal if their certificates are.
 */
public final class ClusterKey {

  private static final Duration CLOCK_SKEW = Duration.ofDays(1);
  private static final Duration LIFETIME = Duration.ofDays(3650);
  private static final List<String> LOOPBACK = List.of(ClusterCertificate.LOOPBACK, "::1");

  private final KeyPair pair;
  private final ClusterCertificate certificate;

  private ClusterKey(KeyPair pair, ClusterCertificate certificate) {
    this.pair = pair;
    this.certificate = certificate;
  }

  /** Creates a key for this machine alone and for whoever does not check names. */
  public static ClusterKey create(String name, Instant now) throws GeneralSecurityException {
    return create(name, List.of(), now);
  }

  /**
   * Creates a key. Its certificate has addresses for programs that check them, as Prometheus does;
   * Remuda's own trust the certificate itself. It has no names of hosts: with one, programs that
   * expect its subject, as a proxy of docs/cluster.md does, would not look at that any more.
   *
   * @param name becomes part of the certificate's subject
   * @param hosts of its machines, besides loopback; those that are no addresses are left out
   */
  public static ClusterKey create(String name, Collection<String> hosts, Instant now)
      throws GeneralSecurityException {
    SecureRandom random = new SecureRandom();
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(new ECGenParameterSpec("secp256r1"), random);
    KeyPair pair = generator.generateKeyPair();
    X500Name subject = new X500Name("CN=remuda " + name.replaceAll("[^A-Za-z0-9.-]", "_"));
    try {
      return new ClusterKey(
          pair,
          new ClusterCertificate(
              new JcaX509CertificateConverter()
                  .getCertificate(
                      new JcaX509v3CertificateBuilder(
                              subject,
                              new BigInteger(120, random),
                              Date.from(now.minus(CLOCK_SKEW)),
                              Date.from(now.plus(LIFETIME)),
                              subject,
                              pair.getPublic())
                          .addExtension(Extension.subjectAlternativeName, false, names(hosts))
                          .build(
                              new JcaContentSignerBuilder("SHA256withECDSA")
                                  .build(pair.getPrivate())))));
    } catch (OperatorCreationException | CertIOException fault) {
      throw new GeneralSecurityException("cannot sign the cluster's certificate", fault);
    }
  }

  private static GeneralNames names(Collection<String> hosts) {
    Set<String> all = new LinkedHashSet<>(LOOPBACK);
    all.addAll(hosts);
    return new GeneralNames(
        all.stream()
            .filter(IPAddress::isValid)
            .map(host -> new GeneralName(GeneralName.iPAddress, host))
            .toArray(GeneralName[]::new));
  }

  /** Returns the key of an access file. */
  public static ClusterKey of(AccessFile access) throws GeneralSecurityException, IOException {
    return of(access.certificate(), access.privateKey());
  }

  /**
   * Returns the key of a certificate and a private key.
   *
   * @param pem the certificate
   * @param privateKey PEM, PKCS 8
   * @throws IOException if one of them is damaged, or they do not belong together
   */
  static ClusterKey of(String pem, String privateKey) throws GeneralSecurityException, IOException {
    ClusterCertificate certificate = ClusterCertificate.parse(pem);
    try {
      byte[] key = Base64.getMimeDecoder().decode(privateKey.replaceAll("-----[A-Z ]+-----", ""));
      PrivateKey secret =
          KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(key));
      return new ClusterKey(
          new KeyPair(certificate.certificate().getPublicKey(), secret), certificate);
    } catch (IllegalArgumentException damaged) {
      throw new IOException("the key of the access file is damaged", damaged);
    }
  }

  /** Returns whether the private key belongs to the certificate. */
  boolean isWhole() throws GeneralSecurityException {
    byte[] proof = pair.getPublic().getEncoded();
    Signature signature = Signature.getInstance("SHA256withECDSA");
    signature.initSign(pair.getPrivate());
    signature.update(proof);
    byte[] signed = signature.sign();
    signature.initVerify(pair.getPublic());
    signature.update(proof);
    return signature.verify(signed);
  }

  /** Returns its certificate. */
  public ClusterCertificate certificate() {
    return certificate;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ClusterKey key && key.certificate.equals(certificate);
  }

  @Override
  public int hashCode() {
    return certificate.hashCode();
  }

  /** Returns the access file that an agent needs to join. */
  public AccessFile access(List<String> contacts) {
    return new AccessFile(AccessFile.VERSION, contacts, certificate.pem(), privateKey());
  }

  /** Returns the private key, PEM, PKCS 8. */
  String privateKey() {
    return "-----BEGIN PRIVATE KEY-----\n"
        + Base64.getMimeEncoder(64, new byte[] {'\n'})
            .encodeToString(pair.getPrivate().getEncoded())
        + "\n-----END PRIVATE KEY-----\n";
  }
}
