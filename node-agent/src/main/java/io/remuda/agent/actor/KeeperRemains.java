package io.remuda.agent.actor;

import io.remuda.agent.keeper.join.AgentKeepers;
import io.remuda.agent.keeper.proc.KeeperProcessHandle;
import io.remuda.agent.keeper.sweep.OrphanSweep;
import java.time.Duration;
import java.util.Map;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What lost keepers have left on this node: a keeper that does not end, and processes that cannot
 * be killed. Blocks. Used only by the keeper's port.
 */
final class KeeperRemains {

  private static final Logger LOG = LoggerFactory.getLogger(KeeperRemains.class);
  private static final Duration REST_AGAIN = Duration.ofSeconds(2);

  private final TimerScheduler<KeeperConnectionActor.Command> timers;
  private final AgentKeepers keepers;
  private final ActorRef<NodeAgentCommand> agent;

  /** What cannot be killed, by task key. */
  private Map<String, String> stays = Map.of();

  /**
   * A keeper that was given up and may not have ended yet, for example because it waits for a dead
   * disk; null if there is none.
   */
  private AgentKeepers.Found stuck;

  KeeperRemains(
      TimerScheduler<KeeperConnectionActor.Command> timers,
      AgentKeepers keepers,
      ActorRef<NodeAgentCommand> agent) {
    this.timers = timers;
    this.keepers = keepers;
    this.agent = agent;
  }

  /** Returns whether a keeper that was given up has not ended. */
  boolean hasStuckKeeper() {
    return stuck != null && stuck.state() != KeeperProcessHandle.State.GONE;
  }

  /**
   * Kills a keeper that is given up and everything of its tasks.
   *
   * @param keeper the keeper, or null if none is known
   */
  void end(AgentKeepers.Found keeper, String cause) {
    stuck = keeper;
    OrphanSweep.Remains remains = keepers.endLost();
    LOG.warn("keeper lost ({}), {} processes of its tasks ended", cause, remains.killed());
    left(remains);
  }

  /**
   * Reports to the agent what could not be killed, and has it tried again until nothing is left.
   */
  void left(OrphanSweep.Remains remains) {
    if (!remains.reasons().equals(stays)) {
      stays = remains.reasons();
      LOG.warn("left of the tasks of a lost keeper: {}", stays);
      agent.tell(new NodeAgentCommand.Unended(stays));
    }
    if (!stays.isEmpty()) {
      tryAgain();
    }
  }

  private void tryAgain() {
    timers.startSingleTimer(
        KeeperConnectionActor.EndRest.INSTANCE, KeeperConnectionActor.EndRest.INSTANCE, REST_AGAIN);
  }

  /** Tries again to kill what is left. */
  void endRest() {
    if (hasStuckKeeper()) {
      tryAgain();
    } else {
      left(keepers.endRest());
    }
  }
}
