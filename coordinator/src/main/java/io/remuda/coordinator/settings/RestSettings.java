package io.remuda.coordinator.settings;

import com.typesafe.config.Config;

/**
 * Bounds of the HTTP interface, and what it understands where nothing is said.
 *
 * @param connections at once
 * @param requestsPerSecond of each user
 * @param refusalsPerSecond of all together whose token is none
 * @param autoGpuMem whether a job that asks for GPUs and says nothing of their memory gets what its
 *     type was measured to need, instead of whole ones
 */
public record RestSettings(
    int connections, int requestsPerSecond, int refusalsPerSecond, boolean autoGpuMem) {

  public RestSettings {
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
  public static RestSettings from(Config config) {
    return new RestSettings(
        config.getInt("max-connections"),
        config.getInt("requests-per-second"),
        config.getInt("refusals-per-second"),
        isAuto(config.getString("gpu-mem")));
  }

  private static boolean isAuto(String usual) {
    return switch (usual) {
      case "auto" -> true;
      case "whole" -> false;
      default ->
          throw new IllegalArgumentException("rest.gpu-mem must be whole or auto, got " + usual);
    };
  }
}
