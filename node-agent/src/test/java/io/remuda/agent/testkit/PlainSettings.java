package io.remuda.agent.testkit;

import io.remuda.agent.settings.AgentSettings;
import io.remuda.agent.settings.AskToEnd;
import io.remuda.agent.settings.TrainingCallers;
import java.nio.file.Path;

/** Settings of agents for tests. */
public final class PlainSettings {

  private PlainSettings() {}

  /**
   * Returns the settings of an agent that sets these variables and limits, with the environment of
   * this process.
   */
  public static AgentSettings of(
      String node,
      String run,
      Path access,
      Path folder,
      Path cache,
      AgentSettings.EndsWith tie,
      AgentSettings.Timing timing) {
    return new AgentSettings(
        node,
        run,
        access,
        folder,
        cache,
        tie,
        timing,
        true,
        true,
        AskToEnd.FIRST,
        TrainingCallers.OWN,
        System.getenv());
  }
}
