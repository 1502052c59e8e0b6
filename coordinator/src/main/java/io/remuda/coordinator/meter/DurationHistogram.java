package io.remuda.coordinator.meter;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Counts durations by fixed bounds. Thread-safe. */
public final class DurationHistogram {

  private static final double NANOS = 1e9;
  private static final double[] QUICK = {0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30};

  /**
   * What was counted.
   *
   * @param bounds upper bounds in seconds, upwards; each includes its bound
   * @param counts durations up to each bound and above the one before, and one more for those above
   *     all
   * @param sumSeconds sum of all durations
   */
  public record Reading(List<Double> bounds, List<Long> counts, double sumSeconds) {
    public Reading {
      bounds = List.copyOf(bounds);
      counts = List.copyOf(counts);
      if (counts.size() != bounds.size() + 1) {
        throw new IllegalArgumentException(
            "counts must be one more than bounds, got " + counts.size() + " of " + bounds.size());
      }
    }
  }

  private final double[] bounds;
  private final long[] counts;
  private double sum;

  /**
   * @param bounds in seconds, upwards
   */
  public DurationHistogram(double... bounds) {
    this.bounds = bounds.clone();
    this.counts = new long[bounds.length + 1];
  }

  /** Returns a histogram of what should be a matter of milliseconds. */
  public static DurationHistogram quick() {
    return new DurationHistogram(QUICK);
  }

  /** Counts a duration; one below 0 counts as 0. */
  public synchronized void observe(long nanos) {
    double seconds = Math.max(0, nanos) / NANOS;
    int at = Arrays.binarySearch(bounds, seconds);
    counts[at < 0 ? -at - 1 : at]++;
    sum += seconds;
  }

  /** Returns a copy of the counts. */
  public synchronized Reading reading() {
    List<Double> upTo = new ArrayList<>();
    List<Long> each = new ArrayList<>();
    for (double bound : bounds) {
      upTo.add(bound);
    }
    for (long count : counts) {
      each.add(count);
    }
    return new Reading(upTo, each, sum);
  }
}
