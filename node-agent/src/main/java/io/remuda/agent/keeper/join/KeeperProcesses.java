package io.remuda.agent.keeper.join;

import io.remuda.agent.keeper.KeeperLink;
import io.remuda.agent.keeper.proc.KeeperFolder;
import io.remuda.agent.keeper.proc.KeeperProcessHandle;
import io.remuda.agent.keeper.program.KeeperLauncher;
import io.remuda.agent.keeper.protocol.KeeperClient;
import io.remuda.agent.keeper.sweep.OrphanSweep;
import io.remuda.agent.settings.AgentSettings;
import io.remuda.agent.settings.Distribution;
import io.remuda.agent.settings.JvmFlags;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Keepers that are processes of their own, each found by what it has written into the node's
 * folder.
 */
public record KeeperProcesses(AgentSettings settings, Distribution distribution)
    implements AgentKeepers {

  /** Time after which a keeper without tasks and without an agent exits. */
  private static final String IDLE_MILLIS = "2000";

  private record FoundProcess(KeeperProcessHandle process) implements Found {

    @Override
    public KeeperProcessHandle.State state() {
      return process.state();
    }

    @Override
    public String toString() {
      return process.toString();
    }
  }

  @Override
  public OrphanSweep.Remains ensureRunning() throws IOException {
    if (KeeperProcessHandle.isAlive(settings.folder())) {
      return OrphanSweep.end(settings.folder(), ""); // of the keeper before it
    }
    OrphanSweep.Remains remains = OrphanSweep.end(settings.folder(), settings.keyPrefix());
    KeeperLauncher.launch(
        Path.of(System.getProperty("java.home")),
        JvmFlags.keeper(),
        distribution.agentJar(),
        settings.folder(),
        environment(),
        settings.folder().resolve("keeper.log"));
    return remains;
  }

  private Map<String, String> environment() {
    Map<String, String> all = new HashMap<>(settings.environment());
    all.put("MALLOC_ARENA_MAX", "1");
    all.put("REMUDA_KEEPER_IDLE_EXIT_MS", IDLE_MILLIS);
    return all;
  }

  @Override
  public Optional<Found> find() {
    return KeeperProcessHandle.of(settings.folder()).map(FoundProcess::new);
  }

  @Override
  public KeeperLink connect(Found keeper, KeeperLink.Listener listener) throws IOException {
    try {
      return KeeperClient.connect(
          new KeeperFolder(settings.folder()).socket(), listener, keeper::state);
    } catch (ConnectException refused) {
      throw new IOException(
          KeeperProcessHandle.elsewhere(settings.folder()).orElse(refused.getMessage()), refused);
    }
  }

  @Override
  public OrphanSweep.Remains endLost() {
    String stays = KeeperProcessHandle.end(settings.folder());
    return stays.isEmpty()
        ? OrphanSweep.end(settings.folder(), settings.keyPrefix())
        : new OrphanSweep.Remains(0, Map.of("", stays));
  }

  @Override
  public OrphanSweep.Remains endRest() {
    return OrphanSweep.end(settings.folder(), settings.keyPrefix(), 0);
  }
}
