package io.remuda.agent.keeper.program;

import io.remuda.thread.DaemonThread;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * An output stream that never blocks its caller for long. A thread of its own writes. {@link
 * #flush} waits for it, so that lines keep their order and nothing is lost at the end of the
 * process, but for {@value #MOMENT_MILLIS} ms at most; while the disk or the terminal hangs it does
 * not wait at all. Output beyond the limit of the buffer is dropped and counted where it is
 * missing. A log of ours is kept within its size by the same thread ({@link LogRotation}), so no
 * line is written between. Any thread.
 */
public final class NonblockingOutputStream extends OutputStream {
  /** Limit of the buffer in bytes, for times when nothing can be written. */
  private static final int MOST_BYTES = 256 << 10;

  private static final long MOMENT_MILLIS = 100;

  private final OutputStream out;
  private final int mostBytes;
  private final LogRotation rotation;
  private final Deque<byte[]> waiting = new ArrayDeque<>();
  private int waitingBytes;
  private int dropped;
  private long asked;
  private long written;

  /** Whether the last flush has timed out. */
  private boolean stuck;

  /** Null until the first write. */
  private Thread writer;

  /**
   * @param rotation of the file that it writes to
   */
  NonblockingOutputStream(OutputStream out, int mostBytes, LogRotation rotation) {
    this.out = out;
    this.mostBytes = mostBytes;
    this.rotation = rotation;
  }

  /** Redirects stdout and stderr of this process through such streams. */
  public static void install() {
    System.setOut(patient(FileDescriptor.out));
    System.setErr(patient(FileDescriptor.err));
  }

  private static PrintStream patient(FileDescriptor descriptor) {
    LogRotation rotation = LogRotation.ofDescriptor(descriptor == FileDescriptor.out ? 1 : 2);
    OutputStream out =
        new NonblockingOutputStream(new FileOutputStream(descriptor), MOST_BYTES, rotation);
    return new PrintStream(out, true, Charset.defaultCharset());
  }

  @Override
  public void write(int one) {
    write(new byte[] {(byte) one}, 0, 1);
  }

  @Override
  public synchronized void write(byte[] bytes, int offset, int length) {
    if (waitingBytes + length > mostBytes) {
      dropped++;
      return;
    }
    if (writer == null) {
      writer = DaemonThread.start("output", this::writeAll);
    }
    byte[] copy = new byte[length];
    System.arraycopy(bytes, offset, copy, 0, length);
    add(copy);
  }

  private void add(byte[] bytes) {
    waiting.add(bytes);
    waitingBytes += bytes.length;
    asked++;
    notifyAll();
  }

  /** Waits until all is written, for {@value #MOMENT_MILLIS} ms at most. */
  @Override
  public synchronized void flush() {
    long mine = asked;
    long deadline = System.nanoTime() + MOMENT_MILLIS * 1_000_000;
    while (written < mine && !stuck) {
      long left = (deadline - System.nanoTime()) / 1_000_000;
      if (left <= 0) {
        stuck = true;
        return;
      }
      try {
        wait(left);
      } catch (InterruptedException hurried) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  private void writeAll() {
    try {
      while (true) {
        byte[] next = next();
        try {
          rotation.before(next.length);
          out.write(next);
          out.flush();
        } catch (IOException full) {
          // there is no other place to report it
        }
        done(next.length);
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized byte[] next() throws InterruptedException {
    while (waiting.isEmpty()) {
      wait();
    }
    return waiting.remove();
  }

  private synchronized void done(int length) {
    waitingBytes -= length;
    written++;
    if (waiting.isEmpty()) {
      stuck = false;
      if (dropped > 0) {
        String words = "... " + dropped + " pieces of output are missing here\n";
        byte[] gap = words.getBytes(StandardCharsets.US_ASCII);
        dropped = 0;
        add(gap);
      }
    }
    notifyAll();
  }
}
