package io.remuda.coordinator.testkit.scripted;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.stream.Stream;

/**
 * The time of a cluster, which runs at first, stands still from {@link #stand} on, and is moved by
 * the test. Any thread; one of them moves it.
 */
public final class MovedTime implements KeeperTime {

  private static final Map<String, MovedTime> BY_NAME = new ConcurrentHashMap<>();

  /** As long as two looks find no thread at work, a step is over. */
  private static final int LOOKS = 2;

  /** Longer than a busy machine takes for a step; a thread that never rests is a defect. */
  private static final long MOST_NANOS = 60_000_000_000L;

  private static final long ANY_TIME = Long.MAX_VALUE;

  private static final class Timer {
    private final Executor executor;
    private final Runnable work;
    private final long period; // 0 for once
    private long due;
    private long number;
    private boolean isCancelled;

    Timer(Executor executor, Runnable work, long period) {
      this.executor = executor;
      this.work = work;
      this.period = period;
    }
  }

  private final String name = UUID.randomUUID().toString();
  private final long beginNanos = System.nanoTime();
  private final Instant begin = Instant.now();
  private final PriorityQueue<Timer> timers =
      new PriorityQueue<>(
          (one, two) ->
              one.due != two.due
                  ? Long.compare(one.due - two.due, 0) // nanoTime may overflow
                  : Long.compare(one.number, two.number));
  private long numbers;
  private boolean stands;
  private boolean isOver;
  private long moved; // nanoseconds by which it is ahead of the machine's, while it runs
  private long now; // while it stands

  /** Time that runs. */
  public MovedTime() {
    BY_NAME.put(name, this);
    Thread runner = new Thread(this::run, "moved-time");
    runner.setDaemon(true);
    runner.start();
  }

  /** Returns the name by which {@link #named} finds it. */
  public String name() {
    return name;
  }

  static MovedTime named(String name) {
    return BY_NAME.get(name);
  }

  @Override
  public synchronized long nanoTime() {
    return stands ? now : System.nanoTime() + moved;
  }

  /** Returns a wall clock that goes with it. */
  public Clock clock() {
    return new Clock() {
      @Override
      public ZoneId getZone() {
        return ZoneOffset.UTC;
      }

      @Override
      public Clock withZone(ZoneId zone) {
        return this;
      }

      @Override
      public Instant instant() {
        return begin.plusNanos(nanoTime() - beginNanos);
      }
    };
  }

  /** Has it stand still until {@link #passes} or {@link #runOn}. */
  public synchronized void stand() {
    now = nanoTime();
    stands = true;
  }

  /** Has it run on with the machine's, as for the end of a cluster. */
  public synchronized void runOn() {
    if (stands) {
      stands = false;
      moved = now - System.nanoTime();
      notifyAll();
    }
  }

  /** Forgets what has not been done yet. */
  public synchronized void end() {
    isOver = true;
    timers.clear();
    BY_NAME.remove(name);
    notifyAll();
  }

  /**
   * Lets time pass, a step at a time. At its end what was due is done in order, and the next step
   * follows when all threads of the cluster wait.
   */
  public void passes(Duration duration, Duration step) {
    settle();
    long end = nanoTime() + duration.toNanos();
    while (nanoTime() != end) {
      moveTo(end, step.toNanos());
      settle();
    }
  }

  private void moveTo(long end, long step) {
    synchronized (this) {
      now += Math.min(end - now, step);
    }
    Timer due = takeDue();
    while (due != null) {
      carryOut(due);
      due = takeDue();
    }
  }

  private synchronized Timer takeDue() {
    Timer first = timers.peek();
    return first != null && first.due - nanoTime() <= 0 ? timers.poll() : null;
  }

  private void carryOut(Timer timer) {
    synchronized (this) {
      if (timer.isCancelled) {
        return;
      }
      if (timer.period > 0) {
        put(timer, timer.period);
      }
    }
    timer.executor.execute(timer.work);
  }

  private void put(Timer timer, long delay) {
    timer.due = nanoTime() + delay;
    timer.number = numbers++;
    timers.add(timer);
    notifyAll();
  }

  /** Runs what is due while time runs. */
  private void run() {
    try {
      while (true) {
        Timer due;
        synchronized (this) {
          long left = stands || timers.isEmpty() ? ANY_TIME : timers.peek().due - nanoTime();
          if (isOver) {
            return;
          }
          if (left > 0) {
            wait(left == ANY_TIME ? 0 : left / 1_000_000 + 1);
          }
          due = stands ? null : takeDue();
        }
        if (due != null) {
          carryOut(due);
        }
      }
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void after(Duration pause, Runnable work) {
    schedule(pause.toNanos(), 0, Runnable::run, work);
  }

  /**
   * Does something after a delay and, unless the period is 0, again and again.
   *
   * @return cancels it and tells whether it was still to be done
   */
  Cancel schedule(long delay, long period, Executor executor, Runnable work) {
    Timer timer = new Timer(executor, work, period);
    if (delay <= 0) {
      carryOut(timer);
    } else {
      synchronized (this) {
        put(timer, delay);
      }
    }
    return new Cancel() {
      @Override
      public boolean cancel() {
        synchronized (MovedTime.this) {
          boolean was = !timer.isCancelled && (period > 0 || timers.contains(timer));
          timer.isCancelled = true;
          timers.remove(timer);
          return was;
        }
      }

      @Override
      public boolean isCancelled() {
        synchronized (MovedTime.this) {
          return timer.isCancelled;
        }
      }
    };
  }

  /** Cancels what is scheduled. */
  interface Cancel {
    boolean cancel();

    boolean isCancelled();
  }

  /** Waits until no thread of a server or an agent is at work. */
  private static void settle() {
    long begin = System.nanoTime();
    int quiet = 0;
    try {
      while (quiet < LOOKS) {
        Thread.sleep(1);
        List<String> busy = atWork();
        quiet = busy.isEmpty() ? quiet + 1 : 0;
        if (System.nanoTime() - begin > MOST_NANOS) {
          throw new AssertionError("a step of the moved time does not end: at work are " + busy);
        }
      }
    } catch (InterruptedException stop) {
      throw new AssertionError(stop);
    }
  }

  private static List<String> atWork() {
    long[] threads = ManagementFactory.getThreadMXBean().getAllThreadIds();
    return Stream.of(ManagementFactory.getThreadMXBean().getThreadInfo(threads, 1))
        .filter(MovedTime::isAtWork)
        .map(thread -> thread.getThreadName() + " in " + thread.getStackTrace()[0])
        .toList();
  }

  private static boolean isAtWork(ThreadInfo thread) {
    if (thread == null || thread.getThreadState() != Thread.State.RUNNABLE) {
      return false;
    }
    String of = thread.getThreadName();
    boolean ours = of.startsWith("remuda-") || of.startsWith("node-") || of.equals("journal");
    StackTraceElement[] at = thread.getStackTrace();
    return ours && at.length > 0 && !at[0].getClassName().contains("EPoll");
  }
}
