package io.remuda.coordinator.cli.command;

import io.remuda.coordinator.client.RestClient;
import io.remuda.coordinator.client.RestFailure;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import sun.misc.Signal;

/**
 * Ctrl-C and SIGTERM at {@code remuda run}: the first cancels the job, whose end is then waited
 * for; the second ends the program, whatever the server does.
 */
final class RunSignals {

  private static final int BASE = 128;
  private static final long AGAIN_MILLIS = 300;

  /** Answers after which the same may be asked again. */
  private static final Set<Integer> LATER = Set.of(RestFailure.NO_SERVER, 429, 503);

  /** Some programs, such as timeout, tell a process and then its whole group. */
  private static final long SAME_NANOS = 500_000_000;

  private final Supplier<RestClient> server;
  private final String job;
  private final AtomicLong first = new AtomicLong();

  private RunSignals(Supplier<RestClient> server, String job) {
    this.server = server;
    this.job = job;
  }

  /** Takes the signals over. */
  static void watch(Supplier<RestClient> server, String job) {
    RunSignals signals = new RunSignals(server, job);
    List.of("INT", "TERM", "HUP")
        .forEach(name -> Signal.handle(new Signal(name), signals::onSignal));
  }

  private void onSignal(Signal signal) {
    long now = System.nanoTime();
    if (first.compareAndSet(0, now)) {
      Thread cancel = new Thread(this::cancel, "cancel");
      cancel.setDaemon(true);
      cancel.start();
    } else if (now - first.get() > SAME_NANOS) {
      Runtime.getRuntime().halt(BASE + signal.getNumber()); // what was printed is flushed
    }
  }

  /** Until the server has taken it; one that is away or busy is asked again. */
  private void cancel() {
    try {
      while (!cancelled()) {
        Thread.sleep(AGAIN_MILLIS);
      }
    } catch (InterruptedException ending) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean cancelled() {
    try {
      server.get().post("/jobs/" + job + "/cancel", null);
      return true;
    } catch (RestFailure no) {
      return !LATER.contains(no.status()); // else it is over, and its end on its way
    } catch (IOException broken) {
      return false;
    }
  }
}
