package io.remuda.agent.protocol;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.cbor.databind.CBORMapper;
import io.remuda.worker.protocol.UnpairedSurrogateCheck;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/**
 * Encodes wire messages as CBOR, compressed by zlib if they are large: orders and reports of many
 * tasks are similar, and for these processes TLS costs more per byte than zlib. Unknown fields are
 * ignored; unknown messages are an error. Thread-safe.
 */
public final class WireCodec {

  private static final ObjectMapper MAPPER =
      CBORMapper.builder()
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .addModule(UnpairedSurrogateCheck.module())
          .build();

  /** First byte of a compressed body; an uncompressed one begins with the byte of a CBOR map. */
  private static final byte PACKED = 1;

  private static final int HEAD = 1 + Integer.BYTES;

  /**
   * From here on it is smaller by more than it costs: a compressor has a quarter of a megabyte of
   * memory, which an idle agent with a few GPUs would need each second for its sample.
   */
  private static final int WORTH_PACKING = 1 << 11;

  private WireCodec() {}

  public static byte[] encode(WireMessage message) {
    try {
      byte[] plain = MAPPER.writeValueAsBytes(message);
      return plain.length < WORTH_PACKING ? plain : pack(plain);
    } catch (IOException fault) {
      throw new UncheckedIOException("cannot encode " + message.getClass().getSimpleName(), fault);
    }
  }

  /**
   * Decodes the body of one frame.
   *
   * @throws UncheckedIOException if the bytes are not a message of {@code type}
   */
  public static <T extends WireMessage> T decode(byte[] body, Class<T> type) {
    try {
      boolean packed = body.length > HEAD && body[0] == PACKED;
      T message = MAPPER.readValue(packed ? unpack(body) : body, type);
      if (message == null) {
        throw new IOException("null instead of a message");
      }
      return message;
    } catch (IOException
        | DataFormatException
        | RuntimeException fault) { // Jackson's, for malformed bytes
      throw new UncheckedIOException(
          "not a " + type.getSimpleName(),
          fault instanceof IOException known ? known : new IOException(fault));
    }
  }

  private static byte[] pack(byte[] plain) {
    Deflater deflater = new Deflater(Deflater.BEST_SPEED);
    try {
      deflater.setInput(plain);
      deflater.finish();
      byte[] packed = new byte[plain.length];
      int length = HEAD;
      length += deflater.deflate(packed, HEAD, packed.length - HEAD);
      if (!deflater.finished()) {
        return plain; // compression does not make it smaller
      }
      ByteBuffer.wrap(packed).put(PACKED).putInt(plain.length);
      return Arrays.copyOf(packed, length);
    } finally {
      deflater.end();
    }
  }

  private static byte[] unpack(byte[] packed) throws IOException, DataFormatException {
    int length = ByteBuffer.wrap(packed, 1, Integer.BYTES).getInt();
    if (length < 0 || length > WireMessage.MAX_MESSAGE) {
      throw new IOException("a message cannot have " + length + " bytes");
    }
    Inflater inflater = new Inflater();
    try {
      inflater.setInput(packed, HEAD, packed.length - HEAD);
      byte[] plain = new byte[length];
      int done = inflater.inflate(plain);
      boolean more = !inflater.finished() && inflater.inflate(new byte[1]) > 0;
      if (done != length || more || !inflater.finished()) {
        throw new IOException("a compressed message does not have the stated length");
      }
      return plain;
    } finally {
      inflater.end();
    }
  }
}
