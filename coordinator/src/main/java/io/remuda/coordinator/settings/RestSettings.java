package io.remuda.coordinator.settings;

import com.typesafe.config.Config;
import java.time.Duration;

/**
 * Limits and a default of the HTTP interface.
 *
 * @param connections maximum number of connections
 * @param headDeadline maximum time from opening a connection to the head of its first request
 * @param bodyDeadline maximum time that the server waits for data of a body
 * @param bodyRate minimum bytes of a body per second
 * @param bodies maximum bytes of large bodies that are held at once
 * @param answers maximum bytes of large responses that clients have not read
 * @param requestsPerSecond maximum requests per second of each user
 * @param refusalsPerSecond maximum requests per second without a valid token, of all together
 * @param autoGpuMem whether a job that requests GPUs without an amount of memory gets the measured
 *     need of its type instead of whole devices
 */
public record RestSettings(
    int connections,
    Duration headDeadline,
    Duration bodyDeadline,
    long bodyRate,
    long bodies,
    long answers,
    int requestsPerSecond,
    int refusalsPerSecond,
    boolean autoGpuMem) {

  public RestSettings {
    atLeastOne("max-connections", connections);
    atLeastOne("head-deadline", headDeadline.toMillis());
    atLeastOne("body-deadline", bodyDeadline.toMillis());
    atLeastOne("body-rate", bodyRate);
    atLeastOne("bodies", bodies);
    atLeastOne("answers", answers);
    atLeastOne("requests-per-second", requestsPerSecond);
    atLeastOne("refusals-per-second", refusalsPerSecond);
  }

  private static void atLeastOne(String name, long value) {
    if (value < 1) {
      throw new IllegalArgumentException("rest." + name + " must be at least 1, got " + value);
    }
  }

  /** Reads the settings under {@code remuda.coordinator.rest}. */
  public static RestSettings from(Config config) {
    return new RestSettings(
        config.getInt("max-connections"),
        config.getDuration("head-deadline"),
        config.getDuration("body-deadline"),
        config.getBytes("body-rate"),
        config.getBytes("bodies"),
        config.getBytes("answers"),
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
