package io.remuda.coordinator.cli.command;

import io.remuda.coordinator.ensemble.EnsembleRun;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import sun.misc.Signal;

/**
 * Ctrl-C and SIGTERM: the first ends the run in order, the second by force. A JVM's shutdown hooks
 * run once and cannot tell a second signal, hence {@code sun.misc.Signal}, of the supported module
 * jdk.unsupported.
 */
final class EnsembleSignals {

  private static final int BASE = 128;

  /** Some programs, such as timeout, tell a process and then its whole group. */
  private static final long SAME_NANOS = 500_000_000;

  private final AtomicBoolean asked = new AtomicBoolean();
  private volatile long askedAt;
  private volatile EnsembleRun run;

  private EnsembleSignals() {}

  /** Takes the signals over; until a run is given, they just end the process. */
  static EnsembleSignals watch() {
    EnsembleSignals signals = new EnsembleSignals();
    List.of("INT", "TERM", "HUP")
        .forEach(name -> Signal.handle(new Signal(name), signals::onSignal));
    return signals;
  }

  /** From now on the signals are for {@code run}. */
  void forward(EnsembleRun started) {
    run = started;
  }

  private void onSignal(Signal signal) {
    int code = BASE + signal.getNumber();
    EnsembleRun current = run;
    if (current != null && asked.compareAndSet(false, true)) {
      askedAt = System.nanoTime();
      current.interrupt("SIG" + signal.getName(), code);
      return;
    }
    if (current != null && System.nanoTime() - askedAt < SAME_NANOS) {
      return; // the same one, told twice
    }
    if (current != null) {
      current.kill();
    }
    Runtime.getRuntime().halt(code); // agents that wait for us see that we are gone
  }
}
