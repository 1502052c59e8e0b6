package io.remuda.coordinator.rest;

import io.remuda.agent.protocol.AgentMessage;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Shares what the server holds of output on its way among those who follow, so that it is bounded
 * whatever their number. Any thread.
 */
final class OutputFollowers {

  /** Bytes that are asked for at once for all of them together. */
  private static final int TOGETHER = 8 << 20;

  private static final int LEAST = 4 << 10;

  private final AtomicInteger count = new AtomicInteger();

  void joined() {
    count.incrementAndGet();
  }

  void left() {
    count.decrementAndGet();
  }

  /** How many bytes one of them may ask for in each of so many questions at once. */
  int bytes(int questions) {
    int share = TOGETHER / Math.max(1, count.get()) / questions;
    return Math.max(LEAST, Math.min(AgentMessage.Output.MOST_BYTES, share));
  }
}
