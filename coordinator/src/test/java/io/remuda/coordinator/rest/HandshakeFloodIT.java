package io.remuda.coordinator.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.client.RestFailureException;
import io.remuda.coordinator.testkit.Cluster;
import io.remuda.coordinator.testkit.Installation;
import io.remuda.coordinator.testkit.OpenSockets;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Unknown programs begin handshakes at the port of submissions and never end them. */
@Tag("attack")
@Tag("attack-local-user")
@Tag("long-attack")
@Timeout(240)
class HandshakeFloodIT {

  private static final Duration SOON = Duration.ofSeconds(90);
  private static final int REQUESTS = 5;

  /** Three times as many as the server has places for connections. */
  private static final int HELD = 1500;

  /** The places, and some that are about to be closed. */
  private static final int MOST_OPEN = 700;

  private static final long PAUSE_NANOS = 2_000_000;

  @TempDir private Path folder;

  @Test
  void the_owner_is_served_while_hundreds_of_half_handshakes_a_second_take_all_places()
      throws Exception {
    try (Cluster service = new Cluster(Installation.find(), folder.resolve("h"), Map.of())) {
      service.serve("--no-agent");
      URI rest = URI.create(service.client().access().rest());
      try (Flood flood = new Flood(rest)) {
        service.await("flood", SOON, () -> flood.begun.get() > HELD);
        for (int i = 1; i <= REQUESTS; i++) {
          int before = flood.begun.get();
          int number = i;
          service.await("the owner's job", SOON, () -> submit(service) == number);
          service.await("more of the flood", SOON, () -> flood.begun.get() > before);
        }
        assertTrue(flood.answered.get() > 0, "the server has answered half handshakes");
        flood.holdWhatIsOpen();
        service.await(
            "end of those for which there is no place",
            SOON,
            () -> OpenSockets.of(rest.getPort()) < MOST_OPEN);
      }
    }
  }

  /**
   * Submits a job on a connection of its own.
   *
   * @return its number, or 0 if the handshake was not over in time: the flood and other tests share
   *     the machine, and nothing was sent yet
   */
  private static int submit(Cluster service) throws Exception {
    try {
      return service.client().post("/jobs", service.job("true")).path("ids").path(0).asInt();
    } catch (RestFailureException late) {
      assertEquals(RestFailureException.NO_SERVER, late.status());
      return 0;
    }
  }

  /** A thread that begins one handshake after the other and keeps them open. */
  private static final class Flood implements AutoCloseable {
    private final AtomicInteger begun = new AtomicInteger();
    private final AtomicInteger answered = new AtomicInteger();
    private final Deque<Socket> open = new ArrayDeque<>();
    private final InetSocketAddress address;
    private final byte[] hello;
    private final Thread thread = new Thread(this::run, "flood");
    private volatile boolean over;

    private Flood(URI rest) throws Exception {
      address = new InetSocketAddress(rest.getHost(), rest.getPort());
      hello = hello();
      thread.start();
    }

    /** The first message of a client. */
    private static byte[] hello() throws Exception {
      SSLEngine client = SSLContext.getDefault().createSSLEngine();
      client.setUseClientMode(true);
      ByteBuffer message = ByteBuffer.allocate(client.getSession().getPacketBufferSize());
      client.wrap(ByteBuffer.allocate(0), message);
      byte[] bytes = new byte[message.flip().remaining()];
      message.get(bytes);
      return bytes;
    }

    private void run() {
      while (!over) {
        try {
          begin();
        } catch (IOException closed) {
          // the server made room
        }
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }

    private void begin() throws IOException {
      Socket socket = new Socket();
      open.add(socket);
      socket.connect(address, 5000);
      socket.getOutputStream().write(hello);
      begun.incrementAndGet();
      if (open.size() > HELD) {
        try (Socket oldest = open.remove()) {
          answered.addAndGet(oldest.getInputStream().available() > 0 ? 1 : 0);
        }
      }
    }

    private void holdWhatIsOpen() throws InterruptedException {
      over = true;
      thread.join();
    }

    @Override
    public void close() throws Exception {
      holdWhatIsOpen();
      for (Socket socket : open) {
        socket.close();
      }
    }
  }
}
