package io.remuda.agent.protocol;

import java.io.IOException;
import java.util.List;
import org.apache.pekko.japi.function.Function;
import org.apache.pekko.stream.BoundedSourceQueue;
import org.apache.pekko.stream.javadsl.Flow;
import org.apache.pekko.stream.javadsl.Framing;
import org.apache.pekko.stream.javadsl.Keep;
import org.apache.pekko.util.ByteString;

/** Messages over a byte stream: each CBOR body is preceded by its length in four bytes. */
public final class WireFraming {

  private WireFraming() {}

  /**
   * Sends {@code O} and receives {@code I} over {@code transport}. A frame that is too long or is
   * not an {@code I} fails the stream.
   */
  public static <O extends WireMessage, I extends WireMessage, M> Flow<O, I, M> over(
      Flow<ByteString, ByteString, M> transport, Class<I> received) {
    Flow<ByteString, ByteString, M> framed =
        Framing.simpleFramingProtocol(WireMessage.MAX_FRAME).join(transport, Keep.right());
    return Flow.<O>create()
        .<ByteString>statefulMapConcat(WireFraming::encoder)
        .viaMat(framed, Keep.right())
        .statefulMapConcat(() -> decoder(received));
  }

  private static <O extends WireMessage> Function<O, Iterable<ByteString>> encoder() {
    OrderTemplates templates = new OrderTemplates();
    return message -> {
      WireMessage shortened =
          message instanceof CoordinatorMessage order ? templates.shorten(order) : message;
      return List.of(ByteString.fromArray(WireCodec.encode(shortened)));
    };
  }

  private static <I extends WireMessage> Function<ByteString, Iterable<I>> decoder(
      Class<I> received) {
    OrderTemplates templates = new OrderTemplates();
    return bytes -> {
      I message = WireCodec.decode(bytes.toArray(), received);
      return List.of(
          message instanceof CoordinatorMessage order
              ? received.cast(templates.complete(order))
              : message);
    };
  }

  /**
   * Ends a connection after all queued messages have been sent. Does nothing if it has ended:
   * {@code queue.complete()} would throw then, and the end of the stream cannot be checked without
   * a race.
   */
  public static void complete(BoundedSourceQueue<?> queue) {
    try {
      queue.complete();
    } catch (IllegalStateException ended) {
      // it has already ended
    }
  }

  /** Ends a connection at once; queued messages are dropped. Does nothing if it has ended. */
  public static void fail(BoundedSourceQueue<?> queue, String cause) {
    try {
      queue.fail(new IOException(cause));
    } catch (IllegalStateException ended) {
      // it has already ended
    }
  }
}
