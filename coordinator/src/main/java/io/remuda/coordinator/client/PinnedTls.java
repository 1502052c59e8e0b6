package io.remuda.coordinator.client;

import io.remuda.agent.protocol.ClusterTls;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * TLS 1.3 with a pinned certificate, that of the access file; while a cluster's key is renewed
 * there are two. The server must present exactly this certificate and, as TLS requires, prove that
 * it has the private key. Other certificates signed by this key are refused. Names and dates are
 * not checked, because they prove nothing more.
 */
public final class PinnedTls {

  private PinnedTls() {}

  /**
   * Returns a factory for sockets to that server.
   *
   * @param pems the certificates of which the server shows one
   */
  public static SSLSocketFactory to(List<String> pems) throws IOException {
    try {
      List<byte[]> pins = new ArrayList<>();
      for (String pem : pems) {
        pins.add(certificate(pem).getEncoded());
      }
      return trusting(pins).getSocketFactory();
    } catch (GeneralSecurityException fault) {
      throw new IOException("cannot use the server's certificate: " + fault.getMessage(), fault);
    }
  }

  /** Returns a context that trusts only the certificates with these bytes. */
  static SSLContext trusting(List<byte[]> certificates) throws GeneralSecurityException {
    SSLContext context = SSLContext.getInstance(ClusterTls.PROTOCOL);
    context.init(null, new TrustManager[] {new Pin(certificates)}, null);
    return context;
  }

  /** Parses the certificate of an access file. */
  static X509Certificate certificate(String pem) throws GeneralSecurityException {
    byte[] text = pem.getBytes(StandardCharsets.US_ASCII);
    return (X509Certificate)
        CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(text));
  }

  /** Trusts certificates byte for byte. */
  private static final class Pin extends X509ExtendedTrustManager {
    private final List<byte[]> pinned;

    private Pin(List<byte[]> pinned) {
      this.pinned = pinned;
    }

    private void check(X509Certificate[] chain) throws CertificateException {
      byte[] shown = chain.length == 0 ? new byte[0] : chain[0].getEncoded();
      if (pinned.stream().noneMatch(pin -> MessageDigest.isEqual(shown, pin))) {
        throw new CertificateException("it shows another certificate");
      }
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type)
        throws CertificateException {
      check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
        throws CertificateException {
      check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
        throws CertificateException {
      check(chain);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type)
        throws CertificateException {
      throw new CertificateException("this side dials");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
        throws CertificateException {
      checkClientTrusted(chain, type);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
        throws CertificateException {
      checkClientTrusted(chain, type);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
