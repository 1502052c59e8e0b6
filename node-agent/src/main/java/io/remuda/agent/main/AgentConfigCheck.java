package io.remuda.agent.main;

import com.typesafe.config.Config;
import io.remuda.agent.container.EngineOptions;
import io.remuda.agent.output.OutputLimit;
import io.remuda.agent.output.TaskRetentionLimit;
import io.remuda.agent.settings.AgentSettings;
import io.remuda.agent.settings.AskToEnd;
import io.remuda.agent.settings.GangPortRange;
import io.remuda.agent.settings.GpuIds;
import io.remuda.agent.settings.OnOverUse;
import io.remuda.agent.settings.TrainingCallers;
import io.remuda.agent.settings.WholeGpuRules;
import io.remuda.agent.settings.file.LayeredSettingsReader;
import java.util.Map;

/** Checks the settings of an agent before anything starts. */
public final class AgentConfigCheck {

  static final String PATH = "remuda.agent";

  private AgentConfigCheck() {}

  /**
   * Reads all settings of the agent.
   *
   * @throws io.remuda.agent.settings.file.BadSettingsException naming where a value is that cannot
   *     be used
   */
  public static void check(LayeredSettingsReader sources) {
    sources.read(PATH, AgentConfigCheck::isRead);
  }

  /** Reads all of them; always true. */
  static boolean isRead(Config agent) {
    AgentSettings.Timing.from(agent);
    OutputLimit.from(agent);
    TaskRetentionLimit.from(agent);
    EngineOptions.from(agent);
    GangPortRange.from(agent);
    OnOverUse.from(agent);
    GpuIds.from(agent);
    WholeGpuRules.from(agent);
    AskToEnd.from(agent);
    TrainingCallers.from(agent);
    AgentSettings.environment(agent, Map.of());
    return true;
  }
}
