package io.remuda.telemetry.source;

import io.remuda.telemetry.model.HostInfo;
import io.remuda.telemetry.model.HostSample;

/** A source of readings of the machine itself; answers within about a millisecond. */
public interface HostSource {
  /** Returns the name, size and limits of the machine; may be called from any thread. */
  HostInfo info();

  /** Reads the current load; one thread at a time. */
  HostSample sample();
}
