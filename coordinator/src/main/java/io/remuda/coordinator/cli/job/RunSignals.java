package io.remuda.coordinator.cli.job;

import io.remuda.agent.commandline.ProcessControl;
import io.remuda.coordinator.client.RestClient;
import io.remuda.coordinator.client.RestFailureException;
import io.remuda.coordinator.console.RawTerminal;
import io.remuda.thread.DaemonThread;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * Handles Ctrl-C, SIGTERM and SIGHUP of {@code remuda run}: the first signal cancels the job, and
 * the command waits for its end; the second one ends the command at once.
 */
final class RunSignals {

  private static final int BASE = 128;
  private static final long AGAIN_MILLIS = 300;

  /** Statuses after which the request is repeated. */
  private static final Set<Integer> LATER = Set.of(RestFailureException.NO_SERVER, 429, 503);

  /**
   * Signals within this time of the first count as one: some programs, such as timeout, signal a
   * process and then its whole group.
   */
  private static final long SAME_NANOS = 500_000_000;

  private final ProcessControl process;
  private final Supplier<RestClient> server;
  private final PrintWriter err;
  private final AtomicLong first = new AtomicLong();

  /** The number of the job; null until the server has told it. */
  private String job;

  private RunSignals(ProcessControl process, Supplier<RestClient> server, PrintWriter err) {
    this.process = process;
    this.server = server;
    this.err = err;
  }

  /** Installs the signal handlers, before the job is submitted: it may be there unheard of. */
  static RunSignals watch(ProcessControl process, Supplier<RestClient> server, PrintWriter err) {
    RunSignals signals = new RunSignals(process, server, err);
    process.onSignals(List.of("INT", "TERM", "HUP"), signals::onSignal);
    return signals;
  }

  /** Notes the number of the job, which is cancelled if a signal has come meanwhile. */
  synchronized void submitted(String id) {
    job = id;
    if (first.get() != 0) {
      DaemonThread.start("cancel", this::cancel);
    }
  }

  private synchronized void onFirst() {
    if (job != null) {
      DaemonThread.start("cancel", this::cancel);
    } else {
      err.println(
          "remuda: the job is cancelled as soon as the server tells its number; once more to leave"
              + " at once");
      err.flush();
    }
  }

  private synchronized String job() {
    return job;
  }

  private void onSignal(String name, int number) {
    long now = System.nanoTime();
    if (first.compareAndSet(0, now)) {
      onFirst();
    } else if (now - first.get() > SAME_NANOS) {
      RawTerminal.restoreTaken();
      process.halt(BASE + number); // all output is flushed
    }
  }

  /** Cancels the job; repeats the request while the server is away or busy. */
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
      server.get().post("/jobs/" + job() + "/cancel", null);
      return true;
    } catch (RestFailureException no) {
      return !LATER.contains(no.status()); // any other refusal: the job has ended
    } catch (IOException broken) {
      return false;
    }
  }
}
