package io.remuda.coordinator.meter;

import java.util.HashMap;
import java.util.Map;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * Measures from an order with something new to the report of its node that follows it: the way
 * there and back, and what both sides take for it. Single-threaded.
 */
public final class OrderRoundTrips {

  private record Sent(long revision, long at) {}

  private final LongSupplier clock;
  private final LongConsumer measured;
  private final Map<String, Sent> awaited = new HashMap<>();

  /**
   * @param clock monotonic, in nanoseconds
   * @param measured receives each round trip in nanoseconds
   */
  OrderRoundTrips(LongSupplier clock, LongConsumer measured) {
    this.clock = clock;
    this.measured = measured;
  }

  /** Returns one that measures nothing. */
  public static OrderRoundTrips unmeasured() {
    return new OrderRoundTrips(() -> 0, nanos -> {});
  }

  /** An order has been sent; while one is awaited, another one is not measured. */
  public void sent(String node, long revision) {
    awaited.putIfAbsent(node, new Sent(revision, clock.getAsLong()));
  }

  /** A node has told up to which revision it follows. */
  public void reported(String node, long revision) {
    Sent sent = awaited.get(node);
    if (sent != null && revision >= sent.revision()) {
      awaited.remove(node);
      measured.accept(clock.getAsLong() - sent.at());
    }
  }

  /** A connection has ended or begun: an order that was not answered on it will not be. */
  public void forget(String node) {
    awaited.remove(node);
  }
}
