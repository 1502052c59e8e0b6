package io.remuda.coordinator.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.typesafe.config.ConfigFactory;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.Props;
import org.apache.pekko.stream.javadsl.Flow;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Tcp;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ShutdownConnectionCloserTest {

  /** Ends only when it may, as a stream of the remoting whose other side does not answer. */
  private static final class Stuck extends AbstractActor {
    private final CountDownLatch mayEnd;

    private Stuck(CountDownLatch mayEnd) {
      this.mayEnd = mayEnd;
    }

    @Override
    public Receive createReceive() {
      return emptyBehavior();
    }

    @Override
    public void postStop() throws InterruptedException {
      mayEnd.await(60, TimeUnit.SECONDS);
    }
  }

  @Test
  @Timeout(120)
  void a_system_that_cannot_end_closes_its_connections() throws Exception {
    ActorSystem system =
        ActorSystem.create(
            "ending",
            ConfigFactory.parseString(
                    "pekko.actor.provider = local, pekko.coordinated-shutdown.exit-jvm = off,"
                        + " pekko.coordinated-shutdown.run-by-jvm-shutdown-hook = off")
                .withFallback(ConfigFactory.defaultReference()));
    ShutdownConnectionCloser.closeAtEndOf(system, Duration.ofMillis(100));
    InetSocketAddress listening =
        Tcp.get(system)
            .bind("127.0.0.1", 0)
            .map(connection -> connection.handleWith(Flow.of(ByteString.class), system))
            .to(Sink.ignore())
            .run(system)
            .toCompletableFuture()
            .get()
            .localAddress();
    CountDownLatch mayEnd = new CountDownLatch(1);
    system.actorOf(
        Props.create(Stuck.class, () -> new Stuck(mayEnd))
            .withDispatcher("pekko.actor.default-blocking-io-dispatcher"));
    try (Socket socket = new Socket(listening.getAddress(), listening.getPort())) {
      socket.getOutputStream().write('x');
      assertEquals('x', socket.getInputStream().read());
      system.terminate();
      assertEquals(-1, read(socket));
      assertFalse(system.whenTerminated().isCompleted(), "it has waited for nothing");
    } finally {
      mayEnd.countDown();
    }
    system.getWhenTerminated().toCompletableFuture().get();
  }

  private static int read(Socket socket) {
    try {
      return socket.getInputStream().read();
    } catch (IOException reset) {
      return -1;
    }
  }
}
