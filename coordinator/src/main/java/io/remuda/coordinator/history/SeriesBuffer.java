package io.remuda.coordinator.history;

import java.util.Arrays;

/**
 * The newest points of a series: seconds until no coarser point needs them, and the open frame of
 * each tier. Not thread-safe.
 */
final class SeriesBuffer {

  /** Seconds that are kept, those of the coarsest point. */
  private static final int RING = HistoryTier.MINUTE.step();

  private static final HistoryTier[] TIERS = HistoryTier.values();

  private final int metrics;
  private final int[] ring;
  private final int[][] frames = new int[TIERS.length][];
  private final int[] values = new int[RING];
  private final int[] point = new int[PointStatistics.COLUMNS];

  SeriesBuffer(int metrics) {
    this.metrics = metrics;
    this.ring = new int[metrics * RING];
    Arrays.fill(ring, HistoryMetric.ABSENT);
    for (HistoryTier tier : TIERS) {
      frames[tier.ordinal()] = new int[metrics * tier.columns() * tier.points()];
      clear(tier);
    }
  }

  /** Makes the open frame of a tier empty. */
  void clear(HistoryTier tier) {
    Arrays.fill(frames[tier.ordinal()], HistoryMetric.ABSENT);
  }

  /** Returns the open frame of a tier: its columns one after the other, those of a metric first. */
  int[] frame(HistoryTier tier) {
    return frames[tier.ordinal()];
  }

  /** Makes a second empty, before it comes round again. */
  void forget(long second) {
    for (int metric = 0; metric < metrics; metric++) {
      ring[metric * RING + (int) (second % RING)] = HistoryMetric.ABSENT;
    }
  }

  /**
   * Sets the values of a second.
   *
   * @param row one for each metric
   */
  void put(long second, int[] row) {
    int[] seconds = frame(HistoryTier.SECOND);
    int place = place(HistoryTier.SECOND, second);
    for (int metric = 0; metric < metrics; metric++) {
      ring[metric * RING + (int) (second % RING)] = row[metric];
      seconds[metric * HistoryTier.SECOND.points() + place] = row[metric];
    }
  }

  private static int place(HistoryTier tier, long second) {
    return (int) (second % tier.frameSeconds() / tier.step());
  }

  /** Computes the coarse point that a second belongs to from its seconds up to that one. */
  void summarize(HistoryTier tier, long second) {
    int first = (int) (second % RING) / tier.step() * tier.step();
    int place = place(tier, second);
    int[] frame = frame(tier);
    for (int metric = 0; metric < metrics; metric++) {
      System.arraycopy(ring, metric * RING + first, values, 0, tier.step());
      PointStatistics.of(values, (int) (second % tier.step()) + 1, point);
      for (int column = 0; column < PointStatistics.COLUMNS; column++) {
        frame[(metric * PointStatistics.COLUMNS + column) * tier.points() + place] = point[column];
      }
    }
  }

  /** Returns whether the open frame of a tier has no value. */
  boolean isEmpty(HistoryTier tier) {
    return allAbsent(frame(tier));
  }

  /** Returns whether nothing would be lost without it. */
  boolean isEmpty() {
    for (HistoryTier tier : TIERS) {
      if (!isEmpty(tier)) {
        return false;
      }
    }
    return allAbsent(ring);
  }

  private static boolean allAbsent(int[] values) {
    for (int value : values) {
      if (value != HistoryMetric.ABSENT) {
        return false;
      }
    }
    return true;
  }
}
