package io.remuda.coordinator.rest.output;

import io.remuda.agent.protocol.AgentMessage;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Divides the memory for output in transit among the followers, so that it is bounded whatever
 * their number. Thread-safe.
 */
final class FollowerMemoryBudget {

  /** Maximum bytes requested at once for all followers together. */
  private static final int TOGETHER = 8 << 20;

  private static final int LEAST = 4 << 10;

  private final AtomicInteger count = new AtomicInteger();

  void joined() {
    count.incrementAndGet();
  }

  void left() {
    count.decrementAndGet();
  }

  /** Returns how many bytes a follower may request in each of its concurrent requests. */
  int bytes(int questions) {
    int share = TOGETHER / Math.max(1, count.get()) / questions;
    return Math.max(LEAST, Math.min(AgentMessage.Output.MOST_BYTES, share));
  }
}
