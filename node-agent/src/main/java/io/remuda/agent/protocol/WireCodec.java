package io.remuda.agent.protocol;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.cbor.databind.CBORMapper;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Wire messages as CBOR. Unknown fields are ignored, unknown messages are an error. Thread-safe.
 */
public final class WireCodec {

  private static final ObjectMapper MAPPER =
      CBORMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

  private WireCodec() {}

  public static byte[] encode(WireMessage message) {
    try {
      return MAPPER.writeValueAsBytes(message);
    } catch (IOException fault) {
      throw new UncheckedIOException("cannot encode " + message.getClass().getSimpleName(), fault);
    }
  }

  /**
   * Decodes one frame's body.
   *
   * @throws UncheckedIOException if the bytes are not a message of {@code type}
   */
  public static <T extends WireMessage> T decode(byte[] body, Class<T> type) {
    try {
      return MAPPER.readValue(body, type);
    } catch (IOException fault) {
      throw new UncheckedIOException("not a " + type.getSimpleName(), fault);
    }
  }
}
