package io.remuda.agent.settings;

import com.typesafe.config.Config;

/** Whom the port of trainings answers. */
public enum TrainingCallers {
  /** Programs of the agent's own user, and of root. */
  OWN,
  /** Every program that reaches the port and knows the UUID of a job. */
  ANY;

  /**
   * Reads {@code training-callers} under {@code remuda.agent}.
   *
   * @throws IllegalArgumentException naming the value if it is invalid
   */
  public static TrainingCallers from(Config agent) {
    String text = agent.getString("training-callers");
    return switch (text) {
      case "own" -> OWN;
      case "any" -> ANY;
      default ->
          throw new IllegalArgumentException(
              "training-callers must be own or any, got '" + text + "'");
    };
  }
}
