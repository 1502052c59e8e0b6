package io.remuda.agent.attempt;

import io.remuda.thread.DaemonThread;
import io.remuda.worker.protocol.CborFrames;
import io.remuda.worker.protocol.FromWorker;
import io.remuda.worker.protocol.SocketChannelInputStream;
import io.remuda.worker.protocol.ToWorker;
import io.remuda.worker.protocol.WorkerSocketPath;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * The agent's end of a worker's socket. Frames are received on a reader thread. {@link #send} may
 * be called by one thread at a time and blocks while the worker does not read; therefore
 * supervisors run on the blocking dispatcher.
 */
public final class WorkerLink implements AutoCloseable {

  private final SocketChannel channel;

  private WorkerLink(SocketChannel channel) {
    this.channel = channel;
  }

  /**
   * Connects to the worker of a task.
   *
   * @param received receives each frame, on the reader thread
   * @param closed runs once when the connection has ended
   * @throws IOException while the worker does not listen yet
   */
  public static WorkerLink connect(Path taskFolder, Consumer<FromWorker> received, Runnable closed)
      throws IOException {
    SocketChannel channel =
        SocketChannel.open(UnixDomainSocketAddress.of(WorkerSocketPath.in(taskFolder)));
    DaemonThread.start("worker-link", () -> read(channel, received, closed));
    return new WorkerLink(channel);
  }

  private static void read(SocketChannel channel, Consumer<FromWorker> received, Runnable closed) {
    try (DataInputStream in = new DataInputStream(new SocketChannelInputStream(channel))) {
      for (FromWorker frame = CborFrames.read(in, FromWorker.class);
          frame != null;
          frame = CborFrames.read(in, FromWorker.class)) {
        received.accept(frame);
      }
    } catch (IOException gone) {
      // the worker or its supervisor ended
    } finally {
      closed.run();
    }
  }

  public void send(ToWorker message) throws IOException {
    ByteBuffer frame = CborFrames.encode(message);
    while (frame.hasRemaining()) {
      channel.write(frame);
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException alreadyClosed) {
      // nothing is lost: the worker repeats what was not acknowledged
    }
  }
}
