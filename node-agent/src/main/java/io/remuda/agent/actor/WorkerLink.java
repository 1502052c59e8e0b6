package io.remuda.agent.actor;

import io.remuda.worker.protocol.CborFrames;
import io.remuda.worker.protocol.ChannelInput;
import io.remuda.worker.protocol.FromWorker;
import io.remuda.worker.protocol.ToWorker;
import io.remuda.worker.protocol.WorkerSocket;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * The agent's end of a worker's socket. Frames arrive on a thread of their own; {@link #send} is
 * called by one thread at a time and may block while the worker does not read, hence a supervisor
 * runs on the blocking dispatcher.
 */
final class WorkerLink implements AutoCloseable {

  private final SocketChannel channel;

  private WorkerLink(SocketChannel channel) {
    this.channel = channel;
  }

  /**
   * Connects to the worker of a task.
   *
   * @param received gets each frame, on the reader's thread
   * @param closed runs once when the connection is over
   * @throws IOException while the worker does not listen yet
   */
  static WorkerLink connect(Path taskFolder, Consumer<FromWorker> received, Runnable closed)
      throws IOException {
    SocketChannel channel =
        SocketChannel.open(UnixDomainSocketAddress.of(WorkerSocket.in(taskFolder)));
    Thread reader = new Thread(() -> read(channel, received, closed), "worker-link");
    reader.setDaemon(true);
    reader.start();
    return new WorkerLink(channel);
  }

  private static void read(SocketChannel channel, Consumer<FromWorker> received, Runnable closed) {
    try (DataInputStream in = new DataInputStream(new ChannelInput(channel))) {
      for (FromWorker frame = CborFrames.read(in, FromWorker.class);
          frame != null;
          frame = CborFrames.read(in, FromWorker.class)) {
        received.accept(frame);
      }
    } catch (IOException gone) {
      // the worker ended, or its supervisor did
    } finally {
      closed.run();
    }
  }

  void send(ToWorker message) throws IOException {
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
      // there is nothing to save: the worker sends again what was not acknowledged
    }
  }
}
