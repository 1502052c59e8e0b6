package io.remuda.worker.protocol;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/**
 * Reads a blocking socket channel as a stream. {@code Channels.newInputStream} holds the channel's
 * blocking lock before JDK 19, so that a waiting read would block every write.
 */
public final class SocketChannelInputStream extends InputStream {

  private final SocketChannel channel;
  private final ByteBuffer buffer = ByteBuffer.allocate(8192).limit(0);

  public SocketChannelInputStream(SocketChannel channel) {
    this.channel = channel;
  }

  @Override
  public int read() throws IOException {
    return fill() ? buffer.get() & 0xff : -1;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (!fill()) {
      return -1;
    }
    int count = Math.min(length, buffer.remaining());
    buffer.get(bytes, offset, count);
    return count;
  }

  private boolean fill() throws IOException {
    if (buffer.hasRemaining()) {
      return true;
    }
    buffer.clear();
    int count = channel.read(buffer);
    buffer.flip();
    return count > 0;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
