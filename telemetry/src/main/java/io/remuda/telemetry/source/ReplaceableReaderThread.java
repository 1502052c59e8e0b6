package io.remuda.telemetry.source;

import io.remuda.telemetry.model.DeviceId;
import io.remuda.telemetry.model.DeviceSample;
import io.remuda.thread.DaemonThread;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The reading thread of a {@link TelemetrySampler} and, while that thread is stuck inside a device,
 * its one replacement. The sampler's lock guards all fields; no thread holds it inside the driver.
 */
final class ReplaceableReaderThread {
  private static final int LATE_DEADLINES = 4;

  private final Object lock;
  private final DeviceSource source;
  private final Map<DeviceId, DeviceSample> published;
  private final long deadlineNanos;
  private final String node;

  /** Devices with a late last reading; they are read after the others. */
  private final Set<DeviceId> slow = new HashSet<>();

  private Reader current;
  private Reader stuck;
  private boolean closed;

  ReplaceableReaderThread(
      Object lock,
      DeviceSource source,
      Map<DeviceId, DeviceSample> published,
      long deadlineNanos,
      String node) {
    this.lock = lock;
    this.source = source;
    this.published = published;
    this.deadlineNanos = deadlineNanos;
    this.node = node;
  }

  void start() {
    synchronized (lock) {
      current = newReader();
    }
  }

  private Reader newReader() {
    Reader reader = new Reader();
    DaemonThread.start("telemetry-" + node, reader);
    return reader;
  }

  /** Requests a round of readings, unless one is in progress. */
  void request() {
    if (!closed && !current.busy) {
      current.busy = true;
      current.since = System.nanoTime();
      lock.notifyAll();
    }
  }

  /** Returns whether a round is in progress that may finish in time. */
  boolean worthWaiting() {
    return current.busy && !current.hung;
  }

  /**
   * Handles a round that passed its deadline: if it hangs inside a device, marks that device slow
   * and starts a replacement thread for the others.
   */
  void overrun() {
    if (!current.busy) {
      return;
    }
    DeviceId inside = current.inside;
    if (inside == null) {
      current.hung = current.age() >= deadlineNanos;
      return;
    }
    if (current.age() < deadlineNanos / 2) {
      return;
    }
    current.hung = true;
    slow.add(inside);
    if (stuck == null && !closed) {
      stuck = current;
      current = newReader();
    }
  }

  void close() {
    synchronized (lock) {
      closed = true;
      lock.notifyAll();
      long end = System.nanoTime() + deadlineNanos;
      for (long left = deadlineNanos; !current.ended && left > 0; left = end - System.nanoTime()) {
        try {
          TimeUnit.NANOSECONDS.timedWait(lock, left);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          return;
        }
      }
    }
  }

  /** A reading thread; it ends when the sampler is closed or the other reader replaced it. */
  private final class Reader implements Runnable, SampleProgressListener {
    private boolean busy;
    private boolean hung;
    private boolean retired;
    private boolean ended;
    private DeviceId inside;
    private long since = System.nanoTime();
    private boolean second;
    private boolean anySkipped;

    long age() {
      return System.nanoTime() - since;
    }

    @Override
    public void run() {
      while (awaitRequest()) {
        round();
      }
      synchronized (lock) {
        if (retired) {
          return;
        }
      }
      source.close();
      synchronized (lock) {
        ended = true;
        lock.notifyAll();
      }
    }

    private boolean awaitRequest() {
      synchronized (lock) {
        while (!busy && !closed && !retired) {
          try {
            lock.wait();
          } catch (InterruptedException e) {
            return false;
          }
        }
        since = System.nanoTime();
        return !closed && !retired;
      }
    }

    private void round() {
      try {
        second = false;
        anySkipped = false;
        source.sampleEach(this);
        if (anySkipped) {
          second = true;
          source.sampleEach(this);
        }
      } catch (RuntimeException | LinkageError e) {
        // after an exception the unread devices are STALE; the next round retries
      } finally {
        synchronized (lock) {
          back();
          busy = false;
          lock.notifyAll();
        }
      }
    }

    @Override
    public boolean starting(DeviceId id) {
      synchronized (lock) {
        back();
        if (closed || retired || (other() != null && id.equals(other().inside))) {
          return false;
        }
        if (slow.contains(id) != second) {
          anySkipped |= !second;
          return false;
        }
        inside = id;
        return true;
      }
    }

    @Override
    public void sampled(DeviceSample sample) {
      synchronized (lock) {
        long took = age();
        if (took < deadlineNanos / 2) {
          slow.remove(sample.id());
        }
        if (took < LATE_DEADLINES * deadlineNanos) {
          published.put(sample.id(), sample);
        }
        back();
      }
    }

    private Reader other() {
      return this == current ? stuck : current;
    }

    /**
     * Records that this reader has left the driver. A reader that was stuck retires, unless its
     * replacement is stuck too: then they swap roles.
     */
    private void back() {
      inside = null;
      hung = false;
      since = System.nanoTime();
      if (this != stuck) {
        return;
      }
      if (current.hung) {
        stuck = current;
        current = this;
      } else {
        stuck = null;
        retired = true;
      }
    }
  }
}
