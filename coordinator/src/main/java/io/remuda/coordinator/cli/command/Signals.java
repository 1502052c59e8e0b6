package io.remuda.coordinator.cli.command;

import io.remuda.coordinator.ensemble.Ensemble;
import io.remuda.coordinator.ensemble.EnsembleGuardian;
import io.remuda.coordinator.launch.AgentLaunch;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.pekko.actor.typed.ActorSystem;
import sun.misc.Signal;

/** Ctrl-C and SIGTERM: the first ends the run in order, the second by force. */
final class Signals {

  private static final int BASE = 128;

  private final ActorSystem<EnsembleGuardian.Command> system;
  private final Map<AgentLaunch, Process> agents;
  private final AtomicBoolean asked = new AtomicBoolean();

  Signals(ActorSystem<EnsembleGuardian.Command> system, Map<AgentLaunch, Process> agents) {
    this.system = system;
    this.agents = agents;
  }

  void install() {
    Signal.handle(new Signal("INT"), this::onSignal);
    Signal.handle(new Signal("TERM"), this::onSignal);
    Signal.handle(new Signal("HUP"), this::onSignal);
  }

  private void onSignal(Signal signal) {
    int code = BASE + signal.getNumber();
    if (asked.compareAndSet(false, true)) {
      system.tell(
          new EnsembleGuardian.ToRun(new Ensemble.Interrupt("SIG" + signal.getName(), code)));
      return;
    }
    agents.keySet().forEach(AgentLaunch::endAll);
    Runtime.getRuntime().halt(code);
  }
}
