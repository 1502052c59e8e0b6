package io.remuda.agent.keeper;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;

/**
 * Carries out starts on threads of its own. A start may take long, as on a disk that stands still
 * or in a folder of a file server that is away: it then keeps its thread busy, and after a moment
 * another thread goes on with what is behind it. Any thread.
 */
final class SlotStarter {
  /** So many starts at most are stuck at once; what comes then waits. */
  private static final int MOST_THREADS = 32;

  /** A start that takes longer is overtaken. */
  private static final long STUCK_MILLIS = 200;

  /** A thread beyond the first that has had nothing to do for so long ends. */
  private static final long IDLE_MILLIS = 10_000;

  private final BootClock clock;
  private final int most;
  private final Queue<Runnable> waiting = new ArrayDeque<>();

  /** When each busy thread has begun what it does. */
  private final Map<Thread, Long> busySince = new HashMap<>();

  private int threads;

  /** No thread yet. */
  SlotStarter(BootClock clock) {
    this(clock, MOST_THREADS);
  }

  SlotStarter(BootClock clock, int most) {
    this.clock = clock;
    this.most = most;
  }

  /** Has a start carried out, in the order in which they come; never waits. */
  synchronized void add(Runnable start) {
    waiting.add(start);
    if (threads == busySince.size()) { // else one is free, or will be at once
      look();
    } else {
      notify();
    }
  }

  /** Adds a thread if all are stuck; to be called now and then. */
  synchronized void look() {
    if (waiting.isEmpty() || threads > busySince.size() || threads >= most || isAnyQuick()) {
      return;
    }
    threads++;
    Thread thread = new Thread(this::run, "starter-" + threads);
    thread.setDaemon(true);
    try {
      thread.start();
    } catch (OutOfMemoryError noMoreThreads) {
      threads--;
      KeeperLog.line("keeper: no thread for a start: " + noMoreThreads);
    }
  }

  private boolean isAnyQuick() {
    long now = clock.millis();
    return busySince.values().stream().anyMatch(since -> now - since < STUCK_MILLIS);
  }

  /** How many starts are under way or wait. */
  synchronized int open() {
    return waiting.size() + busySince.size();
  }

  private void run() {
    try {
      for (Runnable next = next(); next != null; next = next()) {
        guarded(next);
        done();
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      ended();
    }
  }

  /** Null if this thread is not needed any more. */
  private synchronized Runnable next() throws InterruptedException {
    long idleSince = clock.millis();
    while (waiting.isEmpty()) {
      if (threads > 1 && clock.millis() - idleSince >= IDLE_MILLIS) {
        threads--;
        return null;
      }
      wait(IDLE_MILLIS);
    }
    busySince.put(Thread.currentThread(), clock.millis());
    return waiting.remove();
  }

  private synchronized void done() {
    busySince.remove(Thread.currentThread());
  }

  private synchronized void ended() {
    threads--;
  }

  private static void guarded(Runnable start) {
    try {
      start.run();
    } catch (RuntimeException | OutOfMemoryError fault) {
      KeeperLog.line("keeper: a start failed: " + fault);
    }
  }
}
