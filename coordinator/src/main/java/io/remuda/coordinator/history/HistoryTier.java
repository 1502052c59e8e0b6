package io.remuda.coordinator.history;

import java.time.Duration;

/**
 * A resolution of the history. Points are at multiples of its step since 1970, and so are the first
 * points of frames and segments.
 */
public enum HistoryTier {
  /**
   * Plain values. They are kept until no open frame of a coarser tier can need them after a crash,
   * longer than the quarter of an hour that is promised.
   */
  SECOND(1, 15, 20, Duration.ofMinutes(20)),
  /** Of ten values each. */
  TEN_SECONDS(10, 30, 24, Duration.ofHours(24)),
  /** Of sixty values each. */
  MINUTE(60, 15, 96, Duration.ofDays(14));

  private final int step;
  private final int points;
  private final int frames;
  private final Duration kept;

  HistoryTier(int step, int points, int frames, Duration kept) {
    this.step = step;
    this.points = points;
    this.frames = frames;
    this.kept = kept;
  }

  /** Returns the time between two points, in seconds. */
  public int step() {
    return step;
  }

  /** Returns the number of points in a frame, which is written at once. */
  int points() {
    return points;
  }

  /** Returns the time of a frame, in seconds. */
  int frameSeconds() {
    return step * points;
  }

  /** Returns the time of a file, in seconds. */
  int segmentSeconds() {
    return frameSeconds() * frames;
  }

  /** Returns for how long its points are kept. */
  public Duration kept() {
    return kept;
  }

  /** Returns whether a point holds one value; the others hold four, see {@link PointStatistics}. */
  public boolean isPlain() {
    return this == SECOND;
  }

  /** Returns the number of stored columns of a metric. */
  int columns() {
    return isPlain() ? 1 : PointStatistics.COLUMNS;
  }
}
