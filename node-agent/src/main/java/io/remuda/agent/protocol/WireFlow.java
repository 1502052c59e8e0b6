package io.remuda.agent.protocol;

import java.io.IOException;
import org.apache.pekko.stream.BoundedSourceQueue;
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

  /**
   * Has a connection end once all that its queue holds was sent. One that has ended by itself stays
   * as it is; the queue alone would throw then, and whether it has ended can change at any moment.
   */
  public static void complete(BoundedSourceQueue<?> queue) {
    try {
      queue.complete();
    } catch (IllegalStateException ended) {
      // that is what was asked for
    }
  }

  /** Has a connection end at once, as {@link #complete} does otherwise. */
  public static void fail(BoundedSourceQueue<?> queue, String cause) {
    try {
      queue.fail(new IOException(cause));
    } catch (IllegalStateException ended) {
      // that is what was asked for
    }
  }
}
