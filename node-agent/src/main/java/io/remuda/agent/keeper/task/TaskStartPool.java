package io.remuda.agent.keeper.task;

import io.remuda.agent.keeper.proc.BootClock;
import io.remuda.agent.keeper.proc.KeeperLog;
import io.remuda.thread.DaemonThread;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;

/**
 * Runs starts on threads of its own. A start may take long, for example on a disk or a file server
 * that hangs. It then keeps its thread busy, and after a moment another thread continues with the
 * starts behind it. Any thread.
 */
final class TaskStartPool {
  /** Limit of starts that are stuck at once; further ones wait. */
  private static final int MOST_THREADS = 32;

  /** A start that takes longer counts as stuck and is overtaken. */
  private static final long STUCK_MILLIS = 200;

  /** A thread that is idle for this long ends, unless it is the last. */
  private static final long IDLE_MILLIS = 10_000;

  private final BootClock clock;
  private final int most;
  private final Queue<Runnable> waiting = new ArrayDeque<>();

  /** When each busy thread began its start. */
  private final Map<Thread, Long> busySince = new HashMap<>();

  private int threads;

  TaskStartPool(BootClock clock) {
    this(clock, MOST_THREADS);
  }

  TaskStartPool(BootClock clock, int most) {
    this.clock = clock;
    this.most = most;
  }

  /** Queues a start; they begin in order. Never blocks. */
  synchronized void add(Runnable start) {
    waiting.add(start);
    if (threads == busySince.size()) { // all are busy; else one is free or about to be
      look();
    } else {
      notify();
    }
  }

  /** Adds a thread if all are stuck; must be called periodically. */
  synchronized void look() {
    if (waiting.isEmpty() || threads > busySince.size() || threads >= most || isAnyQuick()) {
      return;
    }
    threads++;
    Thread thread = DaemonThread.of("starter-" + threads, this::run);
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

  /** Returns the number of starts that run or wait. */
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

  /** Returns the next start, or null if this thread is not needed any more. */
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
