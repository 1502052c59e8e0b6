package io.remuda.agent.fuzz;

import io.remuda.agent.protocol.AgentMessage;
import io.remuda.agent.protocol.CoordinatorMessage;
import io.remuda.agent.protocol.WireCodec;
import io.remuda.agent.protocol.WireMessage;
import java.io.UncheckedIOException;
import java.util.Arrays;

/**
 * A message between agent and coordinator is refused, or says the same when it is written again.
 * The first byte says whose it is.
 */
public final class WireFuzz {

  private WireFuzz() {}

  /** One input of a fuzzer. */
  public static void fuzzerTestOneInput(byte[] data) {
    if (data.length > 0) {
      byte[] body = Arrays.copyOfRange(data, 1, data.length);
      if ((data[0] & 1) == 0) {
        check(body, AgentMessage.class);
      } else {
        check(body, CoordinatorMessage.class);
      }
    }
  }

  private static <T extends WireMessage> void check(byte[] body, Class<T> type) {
    T message;
    try {
      message = WireCodec.decode(body, type);
    } catch (UncheckedIOException refused) {
      return;
    }
    if (message == null) {
      throw new AssertionError("nothing is taken for a message");
    }
    byte[] said = WireCodec.encode(message);
    T again = WireCodec.decode(said, type);
    // equal maps may be written in another order, and arrays are equal only by what is written
    if (!message.equals(again) && !Arrays.equals(said, WireCodec.encode(again))) {
      throw new AssertionError("says something else when it is written again: " + message);
    }
  }
}
