package io.remuda.agent.keeper;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;

/**
 * One side of a socket: a thread that reads frames and one that writes them, so that nobody who
 * sends waits for the other side. Closed at the first fault.
 */
final class Connection {
  /** Bytes waiting to be sent; the other side has stopped reading when there are more. */
  private static final int BACKLOG_LIMIT = 8 << 20;

  private static final int CHUNK = 32 << 10;

  private final SocketChannel channel;
  private final Handler handler;
  private final ArrayDeque<byte[]> backlog = new ArrayDeque<>();
  private int backlogBytes;
  private boolean writing;
  private Throwable closedBy;

  /** What is done with what arrives; called on the reading thread. */
  interface Handler {
    /** A frame without its length; a RuntimeException closes the connection. */
    void frame(byte[] frame);

    /** The last call, once. */
    void closed(Throwable cause);
  }

  Connection(SocketChannel channel, Handler handler) {
    this.channel = channel;
    this.handler = handler;
  }

  /** Starts both threads, as daemons. */
  void start(String name) {
    daemon(this::readAll, name.concat("-reads"));
    daemon(this::writeAll, name.concat("-writes"));
  }

  /** Sends or, if closed, drops the frame. */
  synchronized void send(byte[] frame) {
    if (closedBy != null) {
      return;
    }
    if (backlogBytes + frame.length > BACKLOG_LIMIT) {
      close(new IOException("the other side does not read"));
      return;
    }
    backlog.add(frame);
    backlogBytes += frame.length;
    notifyAll();
  }

  /** Waits until all was handed to the socket, at most so long. */
  synchronized void flush(long millis) throws InterruptedException {
    long deadline = System.nanoTime() + millis * 1_000_000;
    while (closedBy == null && (writing || !backlog.isEmpty())) {
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
  }

  private void readAll() {
    try {
      while (true) {
        int length = read(Integer.BYTES).getInt();
        if (length < 0 || length > Protocol.FRAME_LIMIT) {
          throw new IOException("frame of " + length + " bytes");
        }
        handler.frame(read(length).array());
      }
    } catch (IOException | RuntimeException | OutOfMemoryError fault) {
      close(fault);
    }
    handler.closed(cause());
  }

  private synchronized Throwable cause() {
    return closedBy;
  }

  private ByteBuffer read(int length) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(length);
    while (bytes.hasRemaining()) {
      // In pieces: the JDK keeps a native buffer as large as the largest piece.
      bytes.limit(Math.min(length, bytes.position() + CHUNK));
      if (channel.read(bytes) < 0) {
        throw new EOFException("closed by the other side");
      }
      bytes.limit(length);
    }
    return bytes.flip();
  }

  private void writeAll() {
    try {
      while (true) {
        ByteBuffer bytes = ByteBuffer.wrap(next());
        int length = bytes.limit();
        while (bytes.position() < length) {
          bytes.limit(Math.min(length, bytes.position() + CHUNK));
          channel.write(bytes);
        }
      }
    } catch (IOException fault) {
      close(fault);
    } catch (InterruptedException stopped) {
      close(stopped);
    }
  }

  private synchronized byte[] next() throws InterruptedException, ClosedChannelException {
    writing = false;
    notifyAll();
    while (backlog.isEmpty() && closedBy == null) {
      wait();
    }
    if (closedBy != null) {
      throw new ClosedChannelException();
    }
    byte[] frame = backlog.remove();
    backlogBytes -= frame.length;
    writing = true;
    return frame;
  }

  private static void daemon(Runnable work, String name) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.start();
  }
}
