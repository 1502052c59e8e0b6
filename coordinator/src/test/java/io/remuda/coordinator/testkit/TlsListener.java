package io.remuda.coordinator.testkit;

import io.remuda.agent.protocol.AccessFile;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * A program that listens on loopback with some identity, notes what it is sent once a handshake has
 * succeeded, and gives every request the same answer.
 */
public final class TlsListener implements AutoCloseable {

  private final ServerSocket socket;
  private final String answer;
  private volatile boolean last;
  private final Queue<String> heard = new ConcurrentLinkedQueue<>();
  private final AtomicInteger accepted = new AtomicInteger();

  private TlsListener(ServerSocket socket, String answer) {
    this.socket = socket;
    this.answer = answer;
    Thread thread = new Thread(this::run, "tls-listener");
    thread.setDaemon(true);
    thread.start();
  }

  /**
   * Shows a chain of certificates.
   *
   * @param port 0 for any
   * @param pem the chain, its owner first
   * @param key of the first, PKCS 8
   * @param answer the bytes of each answer
   */
  public static TlsListener showing(int port, List<String> pem, String key, String answer)
      throws IOException, GeneralSecurityException {
    return new TlsListener(listen(port, pem, key), answer);
  }

  /** Returns a socket whose connections prove this identity, for who converses himself. */
  public static ServerSocket listen(AccessFile identity)
      throws IOException, GeneralSecurityException {
    return listen(0, List.of(identity.certificate()), identity.privateKey());
  }

  private static ServerSocket listen(int port, List<String> pem, String key)
      throws IOException, GeneralSecurityException {
    SSLContext context = SSLContext.getInstance("TLSv1.3");
    context.init(keys(pem, key).getKeyManagers(), null, null);
    return context
        .getServerSocketFactory()
        .createServerSocket(port, 50, InetAddress.getLoopbackAddress());
  }

  /** A listener that closes after it has accepted one connection. */
  public static TlsListener once(int port, List<String> pem, String key, String answer)
      throws IOException, GeneralSecurityException {
    TlsListener listener = showing(port, pem, key, answer);
    listener.last = true;
    return listener;
  }

  /** Without TLS: notes the bytes that come. */
  public static TlsListener plain(String answer) throws IOException {
    return new TlsListener(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), answer);
  }

  private static KeyManagerFactory keys(List<String> pem, String key)
      throws IOException, GeneralSecurityException {
    CertificateFactory certificates = CertificateFactory.getInstance("X.509");
    Certificate[] chain = new Certificate[pem.size()];
    for (int i = 0; i < chain.length; i++) {
      byte[] text = pem.get(i).getBytes(StandardCharsets.US_ASCII);
      chain[i] = certificates.generateCertificate(new ByteArrayInputStream(text));
    }
    byte[] bytes = Base64.getMimeDecoder().decode(key.replaceAll("-----[A-Z ]+-----", ""));
    PrivateKey secret =
        KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(bytes));
    KeyStore store = KeyStore.getInstance("JKS");
    store.load(null, null);
    store.setKeyEntry("own", secret, new char[0], chain);
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, new char[0]);
    return keys;
  }

  private void run() {
    while (!socket.isClosed()) {
      try (Socket connection = socket.accept()) {
        if (last) {
          socket.close();
        }
        accepted.incrementAndGet();
        connection.setSoTimeout(5000);
        converse(connection);
      } catch (IOException refused) {
        continue; // by the client, which is what some tests want
      }
    }
  }

  private void converse(Socket connection) throws IOException {
    while (true) {
      String head = head(connection.getInputStream());
      if (head.isEmpty()) {
        return;
      }
      heard.add(head);
      connection.getOutputStream().write(answer.getBytes(StandardCharsets.ISO_8859_1));
    }
  }

  /** What comes up to an empty line, or up to the end. */
  private static String head(InputStream in) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    String text = "";
    for (int next = in.read(); next >= 0 && !text.endsWith("\r\n\r\n"); next = in.read()) {
      bytes.write(next);
      text = bytes.toString(StandardCharsets.ISO_8859_1);
      if (text.endsWith("\r\n\r\n")) {
        break;
      }
    }
    return text;
  }

  public int port() {
    return socket.getLocalPort();
  }

  /** How many connections have been made to it. */
  public int accepted() {
    return accepted.get();
  }

  /** What was sent to it, head by head. */
  public List<String> heard() {
    return List.copyOf(heard);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
