package io.remuda.coordinator.cli.ensemble;

import io.remuda.agent.commandline.ProcessControl;
import io.remuda.coordinator.ensemble.EnsembleRun;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Handles Ctrl-C, SIGTERM and SIGHUP: the first signal ends the run in order, the second one kills
 * it. Shutdown hooks run once and cannot see a second signal, hence {@code sun.misc.Signal}, of the
 * supported module jdk.unsupported.
 */
final class EnsembleSignals {

  private static final int BASE = 128;

  /**
   * Signals within this time of the first count as one: some programs, such as timeout, signal a
   * process and then its whole group.
   */
  private static final long SAME_NANOS = 500_000_000;

  private final ProcessControl process;
  private final AtomicBoolean asked = new AtomicBoolean();
  private volatile long askedAt;
  private volatile EnsembleRun run;

  private EnsembleSignals(ProcessControl process) {
    this.process = process;
  }

  /** Installs the handlers; until {@link #forward} is called, signals just end the process. */
  static EnsembleSignals watch(ProcessControl process) {
    EnsembleSignals signals = new EnsembleSignals(process);
    process.onSignals(List.of("INT", "TERM", "HUP"), signals::onSignal);
    return signals;
  }

  /** Makes later signals end this run. */
  void forward(EnsembleRun started) {
    run = started;
  }

  private void onSignal(String name, int number) {
    int code = BASE + number;
    EnsembleRun current = run;
    if (current != null && asked.compareAndSet(false, true)) {
      askedAt = System.nanoTime();
      current.interrupt("SIG" + name, code);
      return;
    }
    if (current != null && System.nanoTime() - askedAt < SAME_NANOS) {
      return; // one signal, delivered twice
    }
    if (current != null) {
      current.kill();
    }
    process.halt(code); // agents notice the closed connection
  }
}
