package io.remuda.telemetry.source;

import io.remuda.telemetry.model.HostInfo;
import io.remuda.telemetry.model.HostSample;

/** An origin of readings of the machine itself; answers within about a millisecond. */
public interface HostSource {
  /** Name, size and limits of the machine; may be called from any thread. */
  HostInfo info();

  /** The present load; one thread at a time. */
  HostSample sample();
}
