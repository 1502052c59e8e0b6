package io.remuda.coordinator.ensemble;

import java.time.Duration;

/** Settings of small runs for tests. */
final class TestSettings {
  private TestSettings() {}

  static EnsembleSettings run(int mnistWorkers, int scipyWorkers, int nodes) {
    return settings(mnistWorkers, scipyWorkers, nodes, true, 0);
  }

  static EnsembleSettings settings(
      int mnistWorkers, int scipyWorkers, int nodes, boolean cuda, double cpus) {
    return new EnsembleSettings(
        mnistWorkers,
        scipyWorkers,
        cuda,
        4,
        64,
        64,
        1000,
        2,
        0.7,
        1,
        nodes,
        0,
        cpus,
        null,
        true,
        Duration.ofSeconds(1));
  }
}
