package io.remuda.agent.output;

import com.typesafe.config.Config;
import java.util.Optional;

/**
 * The limit of what is kept of an output stream: its beginning and at least the newest half of the
 * limit.
 *
 * @param bytes maximum size of a file on the disk
 */
public record OutputLimit(long bytes) {

  /** Smallest limit, in bytes: a smaller file is within any. */
  public static final long LEAST = 64 << 10;

  private static final long BEGINNING = 1 << 20;
  private static final int BEGINNING_SHARE = 4;

  /** Holes consist of whole pages; other bytes would be written as zeros and free no space. */
  private static final long PAGE = 4096;

  public OutputLimit {
    if (bytes < LEAST) {
      throw new IllegalArgumentException(
          "output-limit must be at least " + LEAST + " bytes, got " + bytes);
    }
  }

  /** Reads the limit under {@code remuda.agent}. */
  public static OutputLimit from(Config agent) {
    return new OutputLimit(agent.getBytes("output-limit"));
  }

  /**
   * Returns the whole range to drop, including what was dropped before; empty within the limit.
   *
   * @param size size of the file, including holes
   * @param dropped range that was dropped before
   */
  Optional<DroppedRange> tooMuch(long size, Optional<DroppedRange> dropped) {
    long onDisk = size - dropped.map(DroppedRange::bytes).orElse(0L);
    if (onDisk <= bytes) {
      return Optional.empty();
    }
    long beginning = wholePages(Math.min(BEGINNING, bytes / BEGINNING_SHARE));
    long from = dropped.map(DroppedRange::from).orElse(beginning);
    return Optional.of(new DroppedRange(from, wholePages(size - bytes / 2)));
  }

  private static long wholePages(long offset) {
    return offset / PAGE * PAGE;
  }
}
