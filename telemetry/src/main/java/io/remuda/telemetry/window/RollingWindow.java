package io.remuda.telemetry.window;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The rollup of a recent period, kept in buckets: old values are removed one whole bucket at a
 * time. For one thread; the caller supplies the time, which never goes back.
 */
public final class RollingWindow {
  private final long bucketMillis;
  private final int buckets;
  private final Deque<Bucket> kept = new ArrayDeque<>();

  /**
   * @param bucket duration of one bucket
   * @param buckets number of buckets kept, including the current one; at least 1
   */
  public RollingWindow(Duration bucket, int buckets) {
    if (bucket.toMillis() < 1 || buckets < 1) {
      throw new IllegalArgumentException(
          "bucket must be 1 ms or more, buckets 1 or more but they are " + bucket + ", " + buckets);
    }
    this.bucketMillis = bucket.toMillis();
    this.buckets = buckets;
  }

  /** Adds a value at a time in milliseconds; a null value is ignored. */
  public void add(long atMillis, Number value) {
    long number = Math.floorDiv(atMillis, bucketMillis);
    forget(number);
    if (value == null) {
      return;
    }
    Bucket last = kept.peekLast();
    boolean same = last != null && last.number >= number;
    Bucket before = same ? kept.removeLast() : new Bucket(number, Rollup.EMPTY);
    kept.addLast(new Bucket(before.number, before.rollup.plus(value.doubleValue())));
  }

  /** Returns the rollup of all values within the window at this time. */
  public Rollup rollup(long nowMillis) {
    forget(Math.floorDiv(nowMillis, bucketMillis));
    return kept.stream().map(Bucket::rollup).reduce(Rollup.EMPTY, Rollup::merge);
  }

  private void forget(long present) {
    while (!kept.isEmpty() && kept.peekFirst().number <= present - buckets) {
      kept.removeFirst();
    }
  }

  private record Bucket(long number, Rollup rollup) {}
}
