package io.remuda.worker.protocol;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.cbor.databind.CBORMapper;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;

/**
 * CBOR values prefixed by a four-byte big-endian length. Unknown fields are ignored, so that one
 * version can add a field and a later version can rely on it.
 */
public final class CborFrames {

  /** The maximum frame length between agent and worker, in bytes. */
  public static final int MAX_LENGTH = 1 << 20;

  private static final ObjectMapper MAPPER =
      CBORMapper.builder()
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .addModule(UnpairedSurrogateCheck.module())
          .build();

  private CborFrames() {}

  /** Returns the value as a frame, including the length prefix. */
  public static ByteBuffer encode(Object value) throws IOException {
    byte[] body = MAPPER.writeValueAsBytes(value);
    return ByteBuffer.allocate(4 + body.length).putInt(body.length).put(body).flip();
  }

  /** Writes one frame; the caller serialises writers. */
  public static void write(OutputStream out, Object value) throws IOException {
    ByteBuffer frame = encode(value);
    out.write(frame.array(), 0, frame.limit());
    out.flush();
  }

  /**
   * Reads one frame; returns null at the end of the stream.
   *
   * @throws IOException if the frame is too long or does not decode to a {@code type}
   */
  public static <T> T read(DataInputStream in, Class<T> type) throws IOException {
    int length;
    try {
      length = in.readInt();
    } catch (EOFException end) {
      return null;
    }
    if (length < 1 || length > MAX_LENGTH) {
      throw new IOException("frame of " + length + " bytes, allowed are 1 to " + MAX_LENGTH);
    }
    return decode(in.readNBytes(length), type);
  }

  private static <T> T decode(byte[] body, Class<T> type) throws IOException {
    T value;
    try {
      value = MAPPER.readValue(body, type);
    } catch (RuntimeException ofBadBytes) { // such as a NullPointerException for a null type
      throw new IOException("not a " + type.getSimpleName(), ofBadBytes);
    }
    if (value == null) { // null is reserved for the end of the stream
      throw new IOException("the frame holds null instead of a value");
    }
    return value;
  }
}
