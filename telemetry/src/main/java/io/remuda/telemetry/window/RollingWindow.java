package io.remuda.telemetry.window;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The rollup of the last while, kept in buckets: old values leave a whole bucket at a time. For one
 * thread; time is what the caller says, never earlier than before.
 */
public final class RollingWindow {
  private final long bucketMillis;
  private final int buckets;
  private final Deque<Bucket> kept = new ArrayDeque<>();

  /**
   * @param bucket how long one bucket lasts
   * @param buckets how many are kept, the present one included; at least 1
   */
  public RollingWindow(Duration bucket, int buckets) {
    if (bucket.toMillis() < 1 || buckets < 1) {
      throw new IllegalArgumentException(
          "bucket must be 1 ms or more, buckets 1 or more but they are " + bucket + ", " + buckets);
    }
    this.bucketMillis = bucket.toMillis();
    this.buckets = buckets;
  }

  /**
   * Adds a value at a time in milliseconds; a null value is not available and counts for nothing.
   */
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

  /** All values that are not older than the window at this time. */
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
