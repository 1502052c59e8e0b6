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
final class Signals {

  private static final int BASE = 128;

  private final EnsembleRun run;
  private final AtomicBoolean asked = new AtomicBoolean();

  private Signals(EnsembleRun run) {
    this.run = run;
  }

  static void watch(EnsembleRun run) {
    Signals signals = new Signals(run);
    List.of("INT", "TERM", "HUP")
        .forEach(name -> Signal.handle(new Signal(name), signals::onSignal));
  }

  private void onSignal(Signal signal) {
    int code = BASE + signal.getNumber();
    if (asked.compareAndSet(false, true)) {
      run.interrupt("SIG" + signal.getName(), code);
      return;
    }
    run.kill();
    Runtime.getRuntime().halt(code);
  }
}
