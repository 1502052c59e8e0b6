package io.remuda.coordinator.cli.server;

import io.remuda.agent.main.AgentConfigCheck;
import io.remuda.agent.settings.file.LayeredSettingsReader;
import io.remuda.coordinator.settings.CoordinatorSettings;
import java.nio.file.Path;

/** Reads all settings once, so that a wrong one is told before anything starts. */
public final class SettingsCheck {

  private SettingsCheck() {}

  /**
   * Returns the sources of the settings after a check of all of them.
   *
   * @param home the state folder
   * @throws io.remuda.agent.settings.file.BadSettingsException naming the first that is wrong
   */
  public static LayeredSettingsReader of(Path home) {
    LayeredSettingsReader sources = LayeredSettingsReader.in(home);
    CoordinatorSettings.load(sources);
    AgentConfigCheck.check(sources);
    return sources;
  }
}
