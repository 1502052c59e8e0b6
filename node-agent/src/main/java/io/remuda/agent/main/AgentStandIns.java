package io.remuda.agent.main;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.remuda.agent.keeper.join.AgentKeepers;
import io.remuda.agent.keeper.join.KeeperProcesses;
import java.util.function.LongSupplier;

/**
 * What an agent in this process may be given in place of the usual parts.
 *
 * @param keepers own the processes of its tasks
 * @param nanoClock monotonic, for its deadlines
 * @param config settings that count before all others
 */
public record AgentStandIns(AgentKeepers.Maker keepers, LongSupplier nanoClock, Config config) {

  /** No stand-ins: keepers are processes, and time is the machine's. */
  public static final AgentStandIns NONE =
      new AgentStandIns(KeeperProcesses::new, System::nanoTime, ConfigFactory.empty());
}
