package io.remuda.agent.actor;

import io.remuda.agent.protocol.AgentMessage;
import io.remuda.agent.protocol.ClusterTls;
import io.remuda.agent.protocol.CoordinatorMessage;
import io.remuda.agent.protocol.WireFraming;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.stream.BoundedSourceQueue;
import org.apache.pekko.stream.TLSClosing;
import org.apache.pekko.stream.javadsl.Keep;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.stream.javadsl.Tcp;

/** A real TLS listener that notes what agents say and says what a test wants. */
final class FakeCoordinator {
  private final ActorSystem<?> system;
  private final ClusterTls tls;
  private final List<BoundedSourceQueue<CoordinatorMessage>> sessions =
      new CopyOnWriteArrayList<>();
  private final BlockingQueue<AgentMessage> heard = new LinkedBlockingQueue<>();
  private Tcp.ServerBinding binding;

  FakeCoordinator(ActorSystem<?> system, ClusterTls tls) {
    this.system = system;
    this.tls = tls;
  }

  /** Listens on any free port, or again on the one it had. */
  FakeCoordinator listen() throws Exception {
    int port = binding == null ? 0 : binding.localAddress().getPort();
    binding =
        Tcp.get(system)
            .bindWithTls(
                "127.0.0.1",
                port,
                tls::server,
                16,
                List.of(),
                Optional.empty(),
                session -> Optional.empty(),
                TLSClosing.eagerClose())
            .to(Sink.foreach(this::accept))
            .run(system)
            .toCompletableFuture()
            .get(60, TimeUnit.SECONDS);
    return this;
  }

  private void accept(Tcp.IncomingConnection connection) {
    sessions.add(
        Source.<CoordinatorMessage>queue(64)
            .viaMat(WireFraming.over(connection.flow(), AgentMessage.class), Keep.left())
            .toMat(Sink.foreach(heard::add), Keep.left())
            .run(system));
  }

  String contact() {
    InetSocketAddress address = binding.localAddress();
    return address.getHostString() + ":" + address.getPort();
  }

  /** Says something on the newest connection. */
  void says(CoordinatorMessage message) {
    sessions.get(sessions.size() - 1).offer(message);
  }

  AgentMessage hears() throws InterruptedException {
    return heard.poll(60, TimeUnit.SECONDS);
  }

  boolean heardNothing() {
    return heard.isEmpty();
  }

  int connections() {
    return sessions.size();
  }

  /** Breaks every connection. */
  void closesConnections() {
    sessions.forEach(
        session -> endQuietly(() -> session.fail(new IOException("the test closes it"))));
  }

  /** Ends every connection as a coordinator does that has said all. */
  void hangsUp() {
    sessions.forEach(session -> endQuietly(session::complete));
  }

  private static void endQuietly(Runnable end) {
    try {
      end.run();
    } catch (IllegalStateException over) {
      // it has ended already
    }
  }

  /** Stops listening and closes what is there. */
  void stops() throws Exception {
    binding.unbind().toCompletableFuture().get(60, TimeUnit.SECONDS);
    closesConnections();
  }
}
