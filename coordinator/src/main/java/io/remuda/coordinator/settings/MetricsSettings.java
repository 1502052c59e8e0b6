package io.remuda.coordinator.settings;

import com.typesafe.config.Config;

/**
 * What the metrics name one by one.
 *
 * @param users whether users are named
 * @param jobs running jobs that are named at most; 0 for none
 */
public record MetricsSettings(boolean users, int jobs) {
  public MetricsSettings {
    if (jobs < 0) {
      throw new IllegalArgumentException("metrics.jobs must be at least 0, got " + jobs);
    }
  }

  /** Reads the settings under {@code remuda.coordinator.metrics}. */
  public static MetricsSettings from(Config config) {
    return new MetricsSettings(config.getBoolean("users"), config.getInt("jobs"));
  }
}
