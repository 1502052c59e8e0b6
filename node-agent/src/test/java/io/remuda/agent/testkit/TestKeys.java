package io.remuda.agent.testkit;

import io.remuda.agent.protocol.AccessFile;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.security.auth.x500.X500Principal;

/**
 * Cluster keys for tests. The module has no certificate library, and the JDK's keytool is a process
 * of a second for each key, so the few fields of a certificate are written here.
 */
public final class TestKeys {
  private static final String PASSWORD = "password";
  private static final Duration VALID = Duration.ofDays(30);

  // tags of DER
  private static final int INTEGER = 0x02;
  private static final int BIT_STRING = 0x03;
  private static final int OBJECT_ID = 0x06;
  private static final int UTC_TIME = 0x17;
  private static final int SEQUENCE = 0x30;

  /** SHA256withECDSA, 1.2.840.10045.4.3.2. */
  private static final byte[] ECDSA_WITH_SHA256 = {
    0x2a, (byte) 0x86, 0x48, (byte) 0xce, 0x3d, 0x04, 0x03, 0x02
  };

  private TestKeys() {}

  /** A new P-256 key with a certificate of its own. */
  public static AccessFile access(String name, List<String> contacts) {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"));
      KeyPair pair = generator.generateKeyPair();
      return new AccessFile(
          AccessFile.VERSION,
          contacts,
          pem("CERTIFICATE", certificate(name, pair)),
          pem("PRIVATE KEY", pair.getPrivate().getEncoded()));
    } catch (GeneralSecurityException fault) {
      throw new IllegalStateException("cannot make a key for the test", fault);
    }
  }

  /** A certificate that its own key signs. */
  private static byte[] certificate(String name, KeyPair pair) throws GeneralSecurityException {
    byte[] algorithm = der(SEQUENCE, der(OBJECT_ID, ECDSA_WITH_SHA256));
    byte[] subject = new X500Principal("CN=" + name).getEncoded();
    Instant now = Instant.now();
    byte[] told =
        der(
            SEQUENCE,
            der(INTEGER, BigInteger.valueOf(now.toEpochMilli()).toByteArray()),
            algorithm,
            subject,
            der(SEQUENCE, time(now), time(now.plus(VALID))),
            subject,
            pair.getPublic().getEncoded());
    Signature signature = Signature.getInstance("SHA256withECDSA");
    signature.initSign(pair.getPrivate());
    signature.update(told);
    byte[] noUnusedBits = {0};
    return der(SEQUENCE, told, algorithm, der(BIT_STRING, noUnusedBits, signature.sign()));
  }

  private static byte[] time(Instant at) {
    String text =
        DateTimeFormatter.ofPattern("yyMMddHHmmss'Z'").withZone(ZoneOffset.UTC).format(at);
    return der(UTC_TIME, text.getBytes(StandardCharsets.US_ASCII));
  }

  private static byte[] der(int tag, byte[]... parts) {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      body.writeBytes(part);
    }
    ByteArrayOutputStream whole = new ByteArrayOutputStream();
    whole.write(tag);
    int length = body.size();
    if (length > 0xff) {
      whole.write(0x82);
      whole.write(length >> 8);
    } else if (length > 0x7f) {
      whole.write(0x81);
    }
    whole.write(length);
    whole.writeBytes(body.toByteArray());
    return whole.toByteArray();
  }

  /** What shows the key of {@code access} to a peer. */
  public static KeyManager[] keyManagers(AccessFile access)
      throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    Certificate certificate =
        CertificateFactory.getInstance("X.509")
            .generateCertificate(
                new ByteArrayInputStream(access.certificate().getBytes(StandardCharsets.US_ASCII)));
    PrivateKey key =
        KeyFactory.getInstance("EC")
            .generatePrivate(new PKCS8EncodedKeySpec(body(access.privateKey())));
    store.setKeyEntry("cluster", key, PASSWORD.toCharArray(), new Certificate[] {certificate});
    KeyManagerFactory factory =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(store, PASSWORD.toCharArray());
    return factory.getKeyManagers();
  }

  private static byte[] body(String pem) {
    return Base64.getMimeDecoder().decode(pem.replaceAll("-----[A-Z ]+-----", ""));
  }

  private static String pem(String what, byte[] bytes) {
    byte[] lineEnd = "\n".getBytes(StandardCharsets.US_ASCII);
    return "-----BEGIN "
        + what
        + "-----\n"
        + Base64.getMimeEncoder(64, lineEnd).encodeToString(bytes)
        + "\n-----END "
        + what
        + "-----\n";
  }
}
