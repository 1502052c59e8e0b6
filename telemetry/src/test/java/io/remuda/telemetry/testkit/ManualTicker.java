package io.remuda.telemetry.testkit;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** Monotonic nanoseconds that stand still until a test moves them. */
public final class ManualTicker implements LongSupplier {
  private final AtomicLong nanos = new AtomicLong();

  @Override
  public long getAsLong() {
    return nanos.get();
  }

  public void advance(Duration by) {
    nanos.addAndGet(by.toNanos());
  }
}
