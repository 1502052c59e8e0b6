package io.remuda.agent.protocol;

import org.apache.pekko.stream.javadsl.Flow;
import org.apache.pekko.stream.javadsl.Framing;
import org.apache.pekko.stream.javadsl.Keep;
import org.apache.pekko.util.ByteString;

/** Messages over a byte stream: a four-byte length in front of each CBOR body. */
public final class WireFlow {

  private WireFlow() {}

  /**
   * Sends {@code O} and receives {@code I} over {@code transport}; a frame that is too long or is
   * no such message fails the stream.
   */
  public static <O extends WireMessage, I extends WireMessage, M> Flow<O, I, M> over(
      Flow<ByteString, ByteString, M> transport, Class<I> received) {
    Flow<ByteString, ByteString, M> framed =
        Framing.simpleFramingProtocol(WireMessage.MAX_FRAME).join(transport, Keep.right());
    return Flow.<O>create()
        .map(message -> ByteString.fromArray(WireCodec.encode(message)))
        .viaMat(framed, Keep.right())
        .map(bytes -> WireCodec.decode(bytes.toArray(), received));
  }
}
