package io.remuda.agent.keeper.join;

import io.remuda.agent.keeper.KeeperLink;
import io.remuda.agent.keeper.proc.KeeperProcessHandle.State;
import io.remuda.agent.keeper.sweep.OrphanSweep.Remains;
import io.remuda.agent.settings.AgentSettings;
import io.remuda.agent.settings.Distribution;
import java.io.IOException;
import java.util.Optional;

/**
 * The keepers of one agent, of which at most one is to run: {@link KeeperProcesses}, except in
 * tests. Any thread; all methods may block.
 */
public interface AgentKeepers {

  /** Makes the keepers of an agent. */
  interface Maker {

    AgentKeepers of(AgentSettings settings, Distribution distribution);
  }

  /** A keeper that was found; its text is for messages. */
  interface Found {

    /** Returns its current state. */
    State state();
  }

  /**
   * Starts a keeper if none is running. Ends what earlier keepers have left.
   *
   * @return what could not be ended
   */
  Remains ensureRunning() throws IOException;

  /** Returns the running keeper. */
  Optional<Found> find();

  /**
   * Connects to a keeper.
   *
   * @throws IOException if it does not listen, has another version or does not answer
   */
  KeeperLink connect(Found keeper, KeeperLink.Listener listener) throws IOException;

  /** Ends a lost keeper and everything that its tasks have left. */
  Remains endLost();

  /** Ends what is left of lost keepers, in one try. */
  Remains endRest();
}
