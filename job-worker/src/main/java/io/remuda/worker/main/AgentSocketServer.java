package io.remuda.worker.main;

import io.remuda.thread.DaemonThread;
import io.remuda.worker.protocol.CborFrames;
import io.remuda.worker.protocol.FromWorker;
import io.remuda.worker.protocol.SocketChannelInputStream;
import io.remuda.worker.protocol.ToWorker;
import io.remuda.worker.protocol.WorkerEvent;
import io.remuda.worker.protocol.WorkerSocketPath;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The socket in the task's folder through which the agent reaches this worker, also after a restart
 * of the agent.
 *
 * <p>Only the newest connection is used. Unacknowledged events are resent on every new connection
 * and every two seconds. The working thread never waits for the agent to read: a slow agent may
 * lose its connection, but no events.
 */
final class AgentSocketServer implements Closeable {

  private final EventOutbox outbox = new EventOutbox();
  private final ServerSocketChannel server;
  private final Consumer<ToWorker> receiver;
  private final Supplier<FromWorker.Alive> pulse;
  private final ScheduledExecutorService sender =
      Executors.newScheduledThreadPool(1, task -> DaemonThread.of("agent-port", task));
  private volatile SocketChannel agent;

  private AgentSocketServer(
      ServerSocketChannel server, Consumer<ToWorker> receiver, Supplier<FromWorker.Alive> pulse) {
    this.server = server;
    this.receiver = receiver;
    this.pulse = pulse;
  }

  static AgentSocketServer open(
      Path folder, Consumer<ToWorker> receiver, Supplier<FromWorker.Alive> pulse)
      throws IOException {
    Path socket = WorkerSocketPath.in(folder);
    Files.deleteIfExists(socket);
    ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    server.bind(UnixDomainSocketAddress.of(socket));
    AgentSocketServer port = new AgentSocketServer(server, receiver, pulse);
    DaemonThread.start("agent-port", port::accept);
    port.sender.scheduleWithFixedDelay(port::beat, 1, 1, TimeUnit.SECONDS);
    port.sender.scheduleWithFixedDelay(port::sendAgain, 2, 2, TimeUnit.SECONDS);
    return port;
  }

  /** Queues an event for sending and returns its sequence number without waiting. */
  long tell(WorkerEvent event) {
    FromWorker.Happened happened = outbox.add(event);
    sender.execute(() -> send(happened));
    return happened.sequence();
  }

  /** Waits until the coordinator has acknowledged all events. */
  void awaitAcknowledged() throws InterruptedException {
    outbox.awaitEmpty();
  }

  private void beat() {
    send(pulse.get());
  }

  private void sendAgain() {
    outbox.unacknowledged().forEach(this::send);
  }

  /** Sends a frame; runs only on the sender's thread, so that frames never interleave. */
  private void send(FromWorker frame) {
    SocketChannel current = agent;
    if (current == null) {
      return;
    }
    try {
      ByteBuffer bytes = CborFrames.encode(frame);
      while (bytes.hasRemaining()) {
        current.write(bytes);
      }
    } catch (IOException gone) {
      drop(current);
    }
  }

  private void accept() {
    while (server.isOpen()) {
      try {
        SocketChannel next = server.accept();
        SocketChannel before = agent;
        if (before != null) {
          before.close(); // unblocks a write to it
        }
        sender.execute(() -> takeOver(next));
        DaemonThread.start("agent-port", () -> receive(next));
      } catch (IOException closed) {
        return; // only close() makes accept fail on a Unix socket
      }
    }
  }

  /**
   * Switches to a new connection; runs on the sender's thread, so that the agent receives the
   * unacknowledged events before any later one.
   */
  private void takeOver(SocketChannel next) {
    SocketChannel before = agent;
    agent = next;
    if (before != null) {
      drop(before);
    }
    sendAgain();
  }

  private void receive(SocketChannel channel) {
    try (DataInputStream in = new DataInputStream(new SocketChannelInputStream(channel))) {
      for (ToWorker frame = CborFrames.read(in, ToWorker.class);
          frame != null;
          frame = CborFrames.read(in, ToWorker.class)) {
        if (frame instanceof ToWorker.Acknowledged acknowledged) {
          outbox.acknowledge(acknowledged.sequence());
        } else {
          receiver.accept(frame);
        }
      }
    } catch (IOException gone) {
      // the agent is gone; it or its successor will reconnect
    }
    drop(channel);
  }

  private void drop(SocketChannel channel) {
    if (channel.equals(agent)) {
      agent = null;
    }
    try {
      channel.close();
    } catch (IOException alreadyClosed) {
      // nothing is lost: unacknowledged events stay in the outbox
    }
  }

  @Override
  public void close() throws IOException {
    sender.shutdown();
    server.close();
  }
}
