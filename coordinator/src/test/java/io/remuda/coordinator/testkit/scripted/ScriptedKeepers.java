package io.remuda.coordinator.testkit.scripted;

import io.remuda.agent.keeper.KeeperLink;
import io.remuda.agent.keeper.join.AgentKeepers;
import io.remuda.agent.keeper.proc.KeeperProcessHandle.State;
import io.remuda.agent.keeper.sweep.OrphanSweep.Remains;
import io.remuda.agent.settings.AgentSettings;
import io.remuda.agent.settings.Distribution;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The scripted keepers of a cluster, one for each node; they outlive its agents. Any thread. */
public final class ScriptedKeepers implements AgentKeepers.Maker {

  private final KeeperTime time;
  private final Map<String, ScriptedKeeper> byNode = new ConcurrentHashMap<>();

  public ScriptedKeepers(KeeperTime time) {
    this.time = time;
  }

  /** Returns the keeper of a node, which may have no agent yet. */
  public ScriptedKeeper of(String node) {
    return byNode.computeIfAbsent(node, name -> new ScriptedKeeper(name, time));
  }

  @Override
  public AgentKeepers of(AgentSettings settings, Distribution distribution) {
    return new OfAgent(of(settings.node()), settings.folder());
  }

  private record OfAgent(ScriptedKeeper keeper, Path folder)
      implements AgentKeepers, AgentKeepers.Found {

    private static final Remains NOTHING = new Remains(0, Map.of());

    @Override
    public State state() {
      return keeper.isAlive() ? State.LIVES : State.GONE;
    }

    @Override
    public Remains ensureRunning() {
      keeper.ensureRunning(folder);
      return NOTHING;
    }

    @Override
    public Optional<Found> find() {
      return keeper.isAlive() ? Optional.of(this) : Optional.empty();
    }

    @Override
    public KeeperLink connect(Found found, KeeperLink.Listener listener) throws IOException {
      return keeper.connect(listener);
    }

    @Override
    public Remains endLost() {
      keeper.dies();
      return NOTHING;
    }

    @Override
    public Remains endRest() {
      return NOTHING;
    }

    @Override
    public String toString() {
      return keeper.toString();
    }
  }
}
