package io.remuda.coordinator.settings;

import com.typesafe.config.Config;

/**
 * Bounds of the HTTP interface.
 *
 * @param connections at once
 * @param requestsPerSecond of each user
 * @param refusalsPerSecond of all together whose token is none
 */
public record RestLimits(int connections, int requestsPerSecond, int refusalsPerSecond) {

  public RestLimits {
    atLeastOne("max-connections", connections);
    atLeastOne("requests-per-second", requestsPerSecond);
    atLeastOne("refusals-per-second", refusalsPerSecond);
  }

  private static void atLeastOne(String name, int value) {
    if (value < 1) {
      throw new IllegalArgumentException("rest." + name + " must be at least 1, got " + value);
    }
  }

  /** As {@code remuda.coordinator.rest} says. */
  public static RestLimits from(Config config) {
    return new RestLimits(
        config.getInt("max-connections"),
        config.getInt("requests-per-second"),
        config.getInt("refusals-per-second"));
  }
}
