package io.remuda.coordinator.client;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Trusts the one certificate that the access file names, whatever name it is for. */
final class PinnedTls {

  private PinnedTls() {}

  /** Does nothing for plain HTTP. */
  static void apply(HttpURLConnection connection, String pem) throws IOException {
    if (!(connection instanceof HttpsURLConnection https)) {
      return;
    }
    try {
      KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
      trusted.load(null, null);
      trusted.setCertificateEntry(
          "server",
          CertificateFactory.getInstance("X.509")
              .generateCertificate(
                  new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII))));
      TrustManagerFactory factory =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      factory.init(trusted);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, factory.getTrustManagers(), null);
      https.setSSLSocketFactory(context.getSocketFactory());
      https.setHostnameVerifier((host, session) -> true); // the certificate itself is pinned
    } catch (GeneralSecurityException fault) {
      throw new IOException("cannot use the server's certificate: " + fault.getMessage(), fault);
    }
  }
}
