package io.remuda.coordinator.settings;

import com.typesafe.config.Config;
import java.time.Duration;

/**
 * Bounds of the HTTP interface, and what it understands where nothing is said.
 *
 * @param connections at once
 * @param headDeadline in which the head of a connection's first request has to be there
 * @param bodyDeadline in which all of a body has to be there once the server wants it
 * @param bodyRate bytes a second that come of it at least
 * @param bodies bytes of large ones that are held at once
 * @param answers bytes of large ones that were not read yet
 * @param requestsPerSecond of each user
 * @param refusalsPerSecond of all together whose token is none
 * @param autoGpuMem whether a job that asks for GPUs and says nothing of their memory gets what its
 *     type was measured to need, instead of whole ones
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

  /** As {@code remuda.coordinator.rest} says. */
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
