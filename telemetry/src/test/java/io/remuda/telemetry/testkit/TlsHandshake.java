package io.remuda.telemetry.testkit;

import java.nio.ByteBuffer;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;

/** A TLS handshake of two engines, in memory. */
public final class TlsHandshake {

  private static final int ROUNDS = 20;

  private TlsHandshake() {}

  /**
   * Passes what one side says to the other until neither has anything to say.
   *
   * @throws SSLException if one of them refuses the other
   */
  public static void run(SSLEngine client, SSLEngine server) throws SSLException {
    ByteBuffer toServer = ByteBuffer.allocate(1 << 16);
    ByteBuffer toClient = ByteBuffer.allocate(1 << 16);
    client.beginHandshake();
    server.beginHandshake();
    for (int round = 0; round < ROUNDS; round++) {
      say(client, toServer);
      hear(server, toServer);
      say(server, toClient);
      hear(client, toClient);
    }
  }

  /** Returns whether both sides accept each other. */
  public static boolean succeeds(SSLEngine client, SSLEngine server) {
    try {
      run(client, server);
      return isDone(client) && isDone(server);
    } catch (SSLException refused) {
      return false;
    }
  }

  private static boolean isDone(SSLEngine engine) {
    return engine.getHandshakeStatus() == HandshakeStatus.NOT_HANDSHAKING;
  }

  private static void say(SSLEngine engine, ByteBuffer wire) throws SSLException {
    runTasks(engine);
    while (engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP) {
      engine.wrap(ByteBuffer.allocate(0), wire);
      runTasks(engine);
    }
  }

  private static void hear(SSLEngine engine, ByteBuffer wire) throws SSLException {
    wire.flip();
    while (wire.hasRemaining()
        && engine.getHandshakeStatus() != HandshakeStatus.NEED_WRAP
        && !engine.isInboundDone()) {
      engine.unwrap(wire, ByteBuffer.allocate(1 << 15));
      runTasks(engine);
    }
    wire.compact();
  }

  private static void runTasks(SSLEngine engine) {
    for (Runnable task = engine.getDelegatedTask();
        task != null;
        task = engine.getDelegatedTask()) {
      task.run();
    }
  }
}
