package io.remuda.worker.main;

import static org.awaitility.Awaitility.await;

import io.remuda.worker.protocol.CborFrames;
import io.remuda.worker.protocol.FromWorker;
import io.remuda.worker.protocol.SocketChannelInputStream;
import io.remuda.worker.protocol.ToWorker;
import io.remuda.worker.protocol.WorkerEvent;
import io.remuda.worker.protocol.WorkerSocketPath;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** An agent's end of a worker's socket that notes every frame. */
final class FakeAgent implements AutoCloseable {
  private final SocketChannel channel;
  private final List<FromWorker> frames = new CopyOnWriteArrayList<>();
  private volatile boolean ended;

  FakeAgent(Path taskFolder) throws IOException {
    channel = SocketChannel.open(UnixDomainSocketAddress.of(WorkerSocketPath.in(taskFolder)));
    Thread reader = new Thread(this::read, "fake-agent");
    reader.setDaemon(true);
    reader.start();
  }

  private void read() {
    try (DataInputStream in = new DataInputStream(new SocketChannelInputStream(channel))) {
      for (FromWorker frame = CborFrames.read(in, FromWorker.class);
          frame != null;
          frame = CborFrames.read(in, FromWorker.class)) {
        frames.add(frame);
      }
    } catch (IOException closed) {
      // the test closed it, or the worker did
    }
    ended = true;
  }

  void send(ToWorker frame) throws IOException {
    ByteBuffer bytes = CborFrames.encode(frame);
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }

  void sendGarbage() throws IOException {
    channel.write(ByteBuffer.wrap(new byte[] {-1, -1, -1, -1}));
  }

  /** The events so far, repeated ones once. */
  List<WorkerEvent> events() {
    return frames.stream()
        .filter(FromWorker.Happened.class::isInstance)
        .map(FromWorker.Happened.class::cast)
        .distinct()
        .map(FromWorker.Happened::event)
        .toList();
  }

  boolean heard(FromWorker frame) {
    return frames.contains(frame);
  }

  void awaitEvents(WorkerEvent... events) {
    await()
        .atMost(Duration.ofSeconds(10))
        .pollInterval(Duration.ofMillis(10))
        .until(this::events, List.of(events)::equals);
  }

  void awaitEnd() {
    await().atMost(Duration.ofSeconds(10)).pollInterval(Duration.ofMillis(10)).until(() -> ended);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
