package io.remuda.coordinator.cli.stream;

import io.remuda.thread.DaemonThread;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;

/**
 * Stdin from a pipe, a socket or a device, which can be read once. A thread reads one part at a
 * time, the next one only when the one before was sent, so that little is read that the job does
 * not read. The first MiB is kept for another attempt of the task.
 */
final class PipeInput implements InputSource {

  private static final int MOST_KEPT = 1 << 20;
  private static final Part END = new Part(new byte[0], null);

  /** What was read, or why nothing was. */
  private record Part(byte[] bytes, IOException fault) {}

  private final InputStream in;
  private final SynchronousQueue<Part> parts = new SynchronousQueue<>();
  private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
  private Thread reader;
  private boolean ended;

  /** The last part, and the number of its first byte. */
  private byte[] last = new byte[0];

  private long lastFrom;

  PipeInput(InputStream in) {
    this.in = in;
  }

  @Override
  public byte[] from(long offset, long millis) throws IOException, InterruptedException {
    long end = lastFrom + last.length;
    if (offset < lastFrom) {
      return again(offset);
    }
    if (offset < end) {
      return Arrays.copyOfRange(last, (int) (offset - lastFrom), last.length);
    }
    if (ended) {
      return null;
    }
    Part part = next(millis);
    if (part == null) {
      return new byte[0];
    }
    if (part.fault() != null) {
      throw part.fault();
    }
    if (part == END) {
      ended = true;
      return null;
    }
    lastFrom = end;
    last = part.bytes();
    if (lastFrom + last.length <= MOST_KEPT) {
      kept.write(last);
    }
    return last;
  }

  private byte[] again(long offset) throws NotKeptException {
    if (lastFrom + last.length > MOST_KEPT) {
      throw new NotKeptException();
    }
    byte[] all = kept.toByteArray();
    int end = (int) Math.min(all.length, offset + PART);
    return Arrays.copyOfRange(all, (int) offset, end);
  }

  private Part next(long millis) throws InterruptedException {
    if (reader == null) {
      reader = DaemonThread.start("stdin", this::read);
    }
    return parts.poll(millis, TimeUnit.MILLISECONDS);
  }

  /** Hands over part after part; each waits until the one before was sent. */
  private void read() {
    byte[] buffer = new byte[PART];
    try {
      while (true) {
        int count = in.read(buffer);
        if (count < 0) {
          parts.put(END);
          return;
        }
        parts.put(new Part(Arrays.copyOf(buffer, count), null));
      }
    } catch (IOException fault) {
      putFault(fault);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }

  private void putFault(IOException fault) {
    try {
      parts.put(new Part(new byte[0], fault));
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void used(long bytes) {
    // what was read of a pipe cannot be given back
  }
}
