package io.remuda.agent.actor;

import io.remuda.agent.keeper.proc.KeeperFolder;
import io.remuda.agent.keeper.proc.KeeperProcessHandle;
import io.remuda.agent.keeper.program.KeeperLauncher;
import io.remuda.agent.keeper.sweep.OrphanSweep;
import io.remuda.agent.settings.AgentSettings;
import io.remuda.agent.settings.Distribution;
import io.remuda.agent.settings.JvmFlags;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Starts, finds and ends this agent's keeper. */
final class KeeperLaunch {

  /** Time after which a keeper without tasks and without an agent exits. */
  private static final String IDLE_MILLIS = "2000";

  private KeeperLaunch() {}

  static Path socket(AgentSettings settings) {
    return new KeeperFolder(settings.folder()).socket();
  }

  static boolean isRunning(AgentSettings settings) {
    return KeeperProcessHandle.isAlive(settings.folder());
  }

  /** Returns the live keeper. */
  static KeeperProcessHandle process(AgentSettings settings) throws IOException {
    return find(settings)
        .orElseThrow(() -> new IOException("no keeper runs in " + settings.folder()));
  }

  static Optional<KeeperProcessHandle> find(AgentSettings settings) {
    return KeeperProcessHandle.of(settings.folder());
  }

  /**
   * Starts a keeper if none is running. Kills what earlier keepers have left.
   *
   * @return what could not be killed
   */
  static OrphanSweep.Remains ensureRunning(AgentSettings settings, Distribution distribution)
      throws IOException {
    if (isRunning(settings)) {
      return OrphanSweep.end(settings.folder(), ""); // of the keeper before it
    }
    OrphanSweep.Remains remains = OrphanSweep.end(settings.folder(), settings.keyPrefix());
    KeeperLauncher.launch(
        Path.of(System.getProperty("java.home")),
        JvmFlags.keeper(),
        distribution.agentJar(),
        settings.folder(),
        environment(settings),
        settings.folder().resolve("keeper.log"));
    return remains;
  }

  private static Map<String, String> environment(AgentSettings settings) {
    Map<String, String> all = new HashMap<>(settings.environment());
    all.put("MALLOC_ARENA_MAX", "1");
    all.put("REMUDA_KEEPER_IDLE_EXIT_MS", IDLE_MILLIS);
    return all;
  }

  /** Ends a lost keeper and kills everything that its tasks have left. */
  static OrphanSweep.Remains endLost(AgentSettings settings) {
    String stays = KeeperProcessHandle.end(settings.folder());
    return stays.isEmpty()
        ? OrphanSweep.end(settings.folder(), settings.keyPrefix())
        : new OrphanSweep.Remains(0, Map.of("", stays));
  }

  /** Kills what is left of lost keepers, in one try. */
  static OrphanSweep.Remains endRest(AgentSettings settings) {
    return OrphanSweep.end(settings.folder(), settings.keyPrefix(), 0);
  }
}
