package io.remuda.telemetry.testkit;

import io.remuda.telemetry.model.HostInfo;
import io.remuda.telemetry.model.HostSample;
import io.remuda.telemetry.source.HostSource;
import java.util.concurrent.atomic.AtomicInteger;

/** A machine whose load average counts its samples: 1, 2, 3. */
public final class FixedHost implements HostSource {
  private final AtomicInteger samples = new AtomicInteger();

  @Override
  public HostInfo info() {
    return new HostInfo("fixed", "a CPU", 4, 4, 8L << 30, 8L << 30);
  }

  @Override
  public HostSample sample() {
    return new HostSample(samples.incrementAndGet(), 0, 0, null, 4, 8L << 30, 4L << 30, 0L);
  }
}
