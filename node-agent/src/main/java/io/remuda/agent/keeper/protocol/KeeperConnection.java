package io.remuda.agent.keeper.protocol;

import io.remuda.thread.DaemonThread;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;

/**
 * One side of a socket. {@link #send} never blocks: it writes what the socket accepts; the reader
 * thread flushes the rest. Closed at the first fault.
 */
final class KeeperConnection {
  /** Limit of unsent bytes; beyond it the other side counts as not reading. */
  private static final int BACKLOG_LIMIT = 8 << 20;

  private static final int CHUNK = 32 << 10;

  private final SocketChannel channel;
  private final Handler handler;
  private final Selector selector;
  private final ArrayDeque<ByteBuffer> backlog = new ArrayDeque<>();
  private int backlogBytes;

  /** How many steps are under way whose frames go out together at their end. */
  private int holding;

  private Throwable closedBy;

  /** Handles incoming frames; called on the reading thread. */
  interface Handler {
    /** Handles a frame without its length; a RuntimeException closes the connection. */
    void frame(byte[] frame);

    /** Called at most once per tick interval; later if this process was paused. */
    default void tick() {}

    /** Called once, as the last call. */
    void closed(Throwable cause);
  }

  /** Takes over the connected channel. */
  KeeperConnection(SocketChannel channel, Handler handler) throws IOException {
    this.channel = channel;
    this.handler = handler;
    channel.configureBlocking(false);
    selector = Selector.open();
    try {
      channel.register(selector, SelectionKey.OP_READ);
    } catch (IOException | RuntimeException fault) {
      selector.close();
      throw fault;
    }
  }

  /**
   * Starts the reader thread, a daemon.
   *
   * @param tickMillis between two ticks; 0 for none
   */
  void start(String name, long tickMillis) {
    DaemonThread.start(name, () -> run(tickMillis));
  }

  /** Sends the frame, or drops it if the connection is closed. */
  synchronized void send(byte[] frame) {
    if (closedBy != null) {
      return;
    }
    if (backlogBytes + frame.length > BACKLOG_LIMIT) {
      close(new IOException("the other side does not read"));
      return;
    }
    backlog.add(ByteBuffer.wrap(frame));
    backlogBytes += frame.length;
    if (backlog.size() == 1 && holding == 0) {
      writeOrAwait();
    }
  }

  private void writeOrAwait() {
    write();
    if (!backlog.isEmpty()) {
      selector.wakeup(); // so that the reader waits for the socket to accept more
    }
  }

  /**
   * Sends what is sent during a step in one call at its end, which wakes the other side once. The
   * step must not block.
   */
  void together(Runnable step) {
    hold();
    try {
      step.run();
    } finally {
      release();
    }
  }

  private synchronized void hold() {
    holding++;
  }

  private synchronized void release() {
    holding--;
    if (holding == 0 && closedBy == null && !backlog.isEmpty()) {
      writeOrAwait();
    }
  }

  /** Writes as much as the socket accepts. */
  private void write() {
    try {
      while (!backlog.isEmpty()) {
        joinSmall();
        ByteBuffer first = backlog.peek();
        int end = first.limit();
        // In pieces: the JDK caches a native buffer as large as the largest write.
        first.limit(Math.min(end, first.position() + CHUNK));
        int written = channel.write(first);
        first.limit(end);
        backlogBytes -= written;
        if (first.hasRemaining() && written < CHUNK) {
          return;
        }
        if (!first.hasRemaining()) {
          backlog.remove();
        }
      }
      notifyAll();
    } catch (IOException fault) {
      close(fault);
    }
  }

  /** Makes one of the frames at the head that fit into one call. */
  private void joinSmall() {
    int count = 0;
    int length = 0;
    for (ByteBuffer one : backlog) {
      if (length + one.remaining() > CHUNK) {
        break;
      }
      length += one.remaining();
      count++;
    }
    if (count > 1) {
      ByteBuffer joined = ByteBuffer.allocate(length);
      for (int i = 0; i < count; i++) {
        joined.put(backlog.remove());
      }
      backlog.addFirst(joined.flip());
    }
  }

  /** Waits until the socket has accepted all, for {@code millis} at most. */
  synchronized void flush(long millis) throws InterruptedException {
    long deadline = System.nanoTime() + millis * 1_000_000;
    while (closedBy == null && !backlog.isEmpty()) {
      long left = (deadline - System.nanoTime()) / 1_000_000;
      if (left <= 0) {
        return;
      }
      wait(left);
    }
  }

  synchronized void close(Throwable cause) {
    if (closedBy != null) {
      return;
    }
    closedBy = cause;
    backlog.clear();
    notifyAll();
    try {
      channel.close();
    } catch (IOException alreadyBroken) {
      cause.addSuppressed(alreadyBroken);
    }
    selector.wakeup();
  }

  private void run(long tickMillis) {
    try (selector) {
      readAll(tickMillis);
    } catch (Throwable fault) { // without its reader the connection must not stay open
      close(fault);
    }
    handler.closed(cause());
  }

  private synchronized Throwable cause() {
    return closedBy;
  }

  private void readAll(long tickMillis) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocateDirect(CHUNK);
    FrameAssembler frames = new FrameAssembler();
    long ticked = System.nanoTime();
    while (true) {
      await(tickMillis);
      long now = System.nanoTime();
      if (tickMillis > 0 && now - ticked >= tickMillis * 1_000_000) {
        ticked = now;
        handler.tick();
      }
      int count = channel.read(bytes.clear());
      if (count < 0) {
        throw new EOFException("closed by the other side");
      }
      hold();
      try {
        frames.take(bytes.flip(), this::hear); // its answers go out together
      } finally {
        release();
      }
    }
  }

  private void hear(byte[] frame) {
    if (cause() == null) { // frames of a closed connection are dropped
      handler.frame(frame);
    }
  }

  /** Waits for input, and meanwhile writes what the socket accepts. */
  private void await(long millis) throws IOException {
    SelectionKey key = channel.keyFor(selector);
    if (key == null || !key.isValid()) {
      throw new ClosedChannelException();
    }
    key.interestOps(
        isBehind() ? SelectionKey.OP_READ | SelectionKey.OP_WRITE : SelectionKey.OP_READ);
    selector.select(millis);
    selector.selectedKeys().clear();
    if (isBehind()) {
      writeMore();
    }
  }

  private synchronized boolean isBehind() {
    return !backlog.isEmpty();
  }

  private synchronized void writeMore() {
    if (closedBy == null) {
      write();
    }
  }
}
