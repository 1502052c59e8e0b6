package io.remuda.coordinator.client;

import io.remuda.agent.protocol.ClusterTls;
import io.remuda.thread.DaemonThread;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;

/**
 * Loads the JDK's TLS classes on a separate thread while the command line is parsed, by creating
 * the first message of a handshake.
 */
public final class TlsWarmUp {

  private TlsWarmUp() {}

  /** Starts the thread and does not wait for it. */
  public static void start() {
    DaemonThread.start("tls-warm-up", TlsWarmUp::run);
  }

  private static void run() {
    try {
      SSLEngine engine = PinnedTls.trusting(List.of()).createSSLEngine();
      engine.setUseClientMode(true);
      engine.setSSLParameters(ClusterTls.chosen(engine.getSSLParameters()));
      engine.wrap(
          ByteBuffer.allocate(0), ByteBuffer.allocate(engine.getSession().getPacketBufferSize()));
    } catch (GeneralSecurityException | SSLException fault) {
      // the connection will report it
    }
  }
}
