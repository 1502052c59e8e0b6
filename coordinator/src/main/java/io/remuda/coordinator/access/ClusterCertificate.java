package io.remuda.coordinator.access;

import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;

/** The certificate of a cluster's key. */
public record ClusterCertificate(X509Certificate certificate) {

  /** An address that each key has, besides those of its machines. */
  public static final String LOOPBACK = "127.0.0.1";

  private static final int FINGERPRINT_BYTES = 6;

  /**
   * Parses the certificate of an access file.
   *
   * @throws IOException if it is damaged
   */
  static ClusterCertificate parse(String pem) throws GeneralSecurityException, IOException {
    try (PEMParser parser = new PEMParser(new StringReader(pem))) {
      if (parser.readObject() instanceof X509CertificateHolder certificate) {
        return new ClusterCertificate(
            new JcaX509CertificateConverter().getCertificate(certificate));
      }
      throw new IOException("the certificate of the access file is damaged");
    }
  }

  /**
   * Returns the certificate of a text.
   *
   * @throws IOException if it is damaged
   */
  public static ClusterCertificate of(String pem) throws IOException {
    try {
      return parse(pem);
    } catch (GeneralSecurityException damaged) {
      throw new IOException("cannot use a certificate: " + damaged.getMessage(), damaged);
    }
  }

  /** Returns the addresses of hosts that it has; none if it is from an earlier build. */
  public List<String> hosts() {
    try {
      Collection<List<?>> names = certificate.getSubjectAlternativeNames();
      return names == null ? List.of() : names.stream().map(name -> (String) name.get(1)).toList();
    } catch (CertificateParsingException damaged) {
      return List.of();
    }
  }

  /** Returns whether clients that check a name may expect {@link #LOOPBACK}. */
  public boolean isForLoopback() {
    return hosts().contains(LOOPBACK);
  }

  /** Returns its text. */
  public String pem() {
    StringWriter text = new StringWriter();
    try (JcaPEMWriter writer = new JcaPEMWriter(text)) {
      writer.writeObject(certificate);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible); // it is written into memory
    }
    return text.toString();
  }

  /** Returns a short name: 12 digits of the SHA-256, hexadecimal, as openssl has it. */
  public String fingerprint() {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded());
      return HexFormat.of().formatHex(digest, 0, FINGERPRINT_BYTES);
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException("it was encoded before", impossible);
    }
  }
}
