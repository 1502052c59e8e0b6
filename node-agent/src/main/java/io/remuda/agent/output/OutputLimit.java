package io.remuda.agent.output;

import com.typesafe.config.Config;
import java.util.Optional;

/**
 * How much of a stream of a task is kept: its beginning and, of the rest, the newest half of the
 * limit at least.
 *
 * @param bytes that a file may take on the disk
 */
public record OutputLimit(long bytes) {

  private static final long LEAST = 64 << 10;
  private static final long BEGINNING = 1 << 20;
  private static final int BEGINNING_SHARE = 4;

  /** Holes are made of whole pages: others would only be zeros on the disk. */
  private static final long PAGE = 4096;

  public OutputLimit {
    if (bytes < LEAST) {
      throw new IllegalArgumentException(
          "output-limit must be at least " + LEAST + " bytes, got " + bytes);
    }
  }

  /** The limit that is set under {@code remuda.agent}. */
  public static OutputLimit from(Config agent) {
    return new OutputLimit(agent.getBytes("output-limit"));
  }

  /**
   * What is to be dropped, all in all; nothing as long as the file is within the limit.
   *
   * @param size of the file, holes and all
   * @param dropped what was dropped before
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
