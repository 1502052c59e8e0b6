package io.remuda.agent.actor;

import static org.awaitility.Awaitility.await;

import io.remuda.worker.protocol.CborFrames;
import io.remuda.worker.protocol.FromWorker;
import io.remuda.worker.protocol.SocketChannelInputStream;
import io.remuda.worker.protocol.ToWorker;
import io.remuda.worker.protocol.WorkerSocketPath;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A worker's socket in its task folder, without the worker. */
final class FakeWorker implements AutoCloseable {
  private final ServerSocketChannel server;
  private final List<ToWorker> heard = new CopyOnWriteArrayList<>();
  private SocketChannel agent;

  FakeWorker(Path folder) throws IOException {
    Files.createDirectories(folder);
    server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    server.bind(UnixDomainSocketAddress.of(WorkerSocketPath.in(folder)));
  }

  /** Takes the connection that the agent has made. */
  FakeWorker accept() throws IOException {
    agent = server.accept();
    SocketChannel channel = agent;
    Thread reader = new Thread(() -> read(channel), "fake-worker");
    reader.setDaemon(true);
    reader.start();
    return this;
  }

  private void read(SocketChannel channel) {
    try (DataInputStream in = new DataInputStream(new SocketChannelInputStream(channel))) {
      for (ToWorker frame = CborFrames.read(in, ToWorker.class);
          frame != null;
          frame = CborFrames.read(in, ToWorker.class)) {
        heard.add(frame);
      }
    } catch (IOException closed) {
      // the test is over, or the agent hung up
    }
  }

  FakeWorker says(FromWorker frame) throws IOException {
    ByteBuffer bytes = CborFrames.encode(frame);
    while (bytes.hasRemaining()) {
      agent.write(bytes);
    }
    return this;
  }

  void awaitHeard(ToWorker... frames) {
    await()
        .atMost(Duration.ofSeconds(10))
        .pollInterval(Duration.ofMillis(10))
        .until(() -> heard, List.of(frames)::equals);
  }

  void hangsUp() throws IOException {
    agent.close();
  }

  @Override
  public void close() throws IOException {
    if (agent != null) {
      agent.close();
    }
    server.close();
  }
}
