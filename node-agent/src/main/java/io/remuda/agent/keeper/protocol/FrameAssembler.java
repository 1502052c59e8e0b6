package io.remuda.agent.keeper.protocol;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/** Assembles frames from bytes that arrive in pieces of any size. One thread. */
final class FrameAssembler {
  private final ByteBuffer length = ByteBuffer.allocate(Integer.BYTES);
  private byte[] frame;
  private int have;

  /**
   * Consumes all bytes.
   *
   * @param bytes to be read; none remain
   * @param whole called with each frame that they complete, without its length
   * @throws IOException if a frame announces more than {@link KeeperProtocol#FRAME_LIMIT} bytes
   */
  void take(ByteBuffer bytes, Consumer<byte[]> whole) throws IOException {
    while (bytes.hasRemaining()) {
      if (frame == null) {
        takeLength(bytes);
      } else {
        int part = Math.min(bytes.remaining(), frame.length - have);
        bytes.get(frame, have, part);
        have += part;
      }
      if (frame != null && have == frame.length) {
        byte[] done = frame;
        frame = null;
        whole.accept(done);
      }
    }
  }

  private void takeLength(ByteBuffer bytes) throws IOException {
    while (length.hasRemaining() && bytes.hasRemaining()) {
      length.put(bytes.get());
    }
    if (length.hasRemaining()) {
      return;
    }
    int announced = length.flip().getInt();
    length.clear();
    if (announced < 0 || announced > KeeperProtocol.FRAME_LIMIT) {
      throw new IOException("frame of " + announced + " bytes");
    }
    frame = new byte[announced];
    have = 0;
  }
}
