package io.remuda.agent.testkit;

import io.remuda.agent.protocol.AccessFile;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;

/** Cluster keys for tests, made with the JDK's keytool: the module has no certificate library. */
public final class TestKeys {
  private static final String PASSWORD = "password";

  private TestKeys() {}

  /** A new P-256 key with a certificate of its own. */
  public static AccessFile access(String name, List<String> contacts) {
    try {
      Path folder = Files.createTempDirectory("keys");
      try {
        return read(make(folder.resolve("store.p12"), name), contacts);
      } finally {
        delete(folder);
      }
    } catch (IOException | GeneralSecurityException fault) {
      throw new IllegalStateException("cannot make a key for the test", fault);
    }
  }

  private static Path make(Path store, String name) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of("-genkeypair", "-alias", "cluster", "-keyalg", "EC"));
    command.addAll(List.of("-groupname", "secp256r1", "-dname", "CN=" + name, "-validity", "30"));
    command.addAll(List.of("-storetype", "PKCS12", "-storepass", PASSWORD, "-keystore"));
    command.add(store.toString());
    Process keytool =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      if (!keytool.waitFor(60, TimeUnit.SECONDS) || keytool.exitValue() != 0) {
        throw new IOException("keytool failed");
      }
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", stop);
    }
    return store;
  }

  private static AccessFile read(Path file, List<String> contacts)
      throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance(file.toFile(), PASSWORD.toCharArray());
    Key key = store.getKey("cluster", PASSWORD.toCharArray());
    return new AccessFile(
        AccessFile.VERSION,
        contacts,
        pem("CERTIFICATE", store.getCertificate("cluster").getEncoded()),
        pem("PRIVATE KEY", key.getEncoded()));
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

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> tree = Files.walk(folder)) {
      tree.sorted(Comparator.reverseOrder()).forEach(TestKeys::deleteOne);
    }
  }

  private static void deleteOne(Path path) {
    try {
      Files.delete(path);
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }
}
