package io.remuda.coordinator.client;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;

/**
 * Loads what TLS needs on a thread of its own, while the command line is read. It makes the first
 * message of a handshake, and throws it away.
 */
public final class TlsWarmUp {

  private TlsWarmUp() {}

  /** Does not wait; a fault shows when the connection is made. */
  public static void start() {
    Thread thread = new Thread(TlsWarmUp::run, "tls-warm-up");
    thread.setDaemon(true);
    thread.start();
  }

  private static void run() {
    try {
      SSLEngine engine = PinnedTls.trusting(new byte[0]).createSSLEngine();
      engine.setUseClientMode(true);
      engine.setEnabledProtocols(new String[] {PinnedTls.PROTOCOL});
      engine.wrap(
          ByteBuffer.allocate(0), ByteBuffer.allocate(engine.getSession().getPacketBufferSize()));
    } catch (GeneralSecurityException | SSLException fault) {
      // told by the connection, which needs the same
    }
  }
}
