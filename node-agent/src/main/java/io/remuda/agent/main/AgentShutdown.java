package io.remuda.agent.main;

import io.remuda.agent.actor.NodeAgentCommand;
import io.remuda.agent.keeper.sweep.OrphanSweep;
import io.remuda.agent.settings.AgentSettings;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import sun.misc.Signal;

/** The end of an agent's program, by itself or by a signal, with nothing of a run left behind. */
final class AgentShutdown {

  private final RunningAgent agent;
  private final AgentSettings settings;
  private final Optional<SlurmStep> step;
  private final CountDownLatch ended = new CountDownLatch(1);

  AgentShutdown(RunningAgent agent, Optional<SlurmStep> step) {
    this.agent = agent;
    this.settings = agent.settings();
    this.step = step;
  }

  /** Has a signal told to the server, which orders the end, instead of ending the agent. */
  void leaveToServer() {
    for (String name : List.of("TERM", "INT", "HUP", "USR1")) {
      Signal.handle(
          new Signal(name), signal -> agent.tell(new NodeAgentCommand.AwaitOrder("signal")));
    }
  }

  /** Returns when the actor system has ended; SIGTERM and SIGINT ask it to end. */
  void await() throws InterruptedException {
    Runtime.getRuntime().addShutdownHook(new Thread(this::endBySignal, "signal"));
    agent.end().whenComplete((done, fault) -> ended.countDown());
    ended.await();
    clean();
  }

  private void endBySignal() {
    agent.leave();
    if (isEndedInTime()) {
      clean();
    }
  }

  private boolean isEndedInTime() {
    try {
      return ended.await(agent.endsWithinMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /**
   * Removes what the run has left on this node. Called by the main thread and by the shutdown hook.
   */
  private synchronized void clean() {
    if (settings.launched()) {
      OrphanSweep.end(settings.folder(), settings.keyPrefix());
    }
    step.ifPresent(SlurmStep::clean);
  }
}
