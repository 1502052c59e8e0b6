package io.remuda.coordinator.schedule;

import io.remuda.worker.job.ResourceRequest;
import java.util.Collection;
import java.util.Collections;
import java.util.OptionalLong;

/**
 * Whether tasks of a type that is not measured yet may share devices, with a guess of what they
 * need. The guess is two thirds of the largest device, but no less than what any measured type
 * needs.
 *
 * <p>Of n types in random order the next one needs more than all before it with probability 1 / (n
 * + 1), and more than two thirds of a device besides that only if it hardly shares at all; a task
 * alone on a device takes whatever it needs.
 *
 * @param least the largest need of a measured type in bytes; 0 if first runs have devices of their
 *     own
 */
public record FirstRuns(long least) {

  /** First runs have devices of their own. */
  public static final FirstRuns ALONE = new FirstRuns(0);

  /** Number of measured types from which on a guess is made. */
  public static final int MEASURED_TYPES = 3;

  private static final int PART = 2;
  private static final int PARTS = 3;

  public FirstRuns {
    if (least < 0) {
      throw new IllegalArgumentException("least must be 0 or more, got " + least);
    }
  }

  /**
   * Returns that first runs may share devices once enough types are measured.
   *
   * @param needs what each measured type needs, in bytes
   */
  public static FirstRuns beside(Collection<Long> needs) {
    return needs.size() < MEASURED_TYPES ? ALONE : new FirstRuns(Collections.max(needs));
  }

  /**
   * Returns what is promised to a first run beside others, in bytes of each device; empty if it
   * must be alone.
   *
   * @param largestDevice memory in bytes of the largest device that it may have
   */
  OptionalLong promise(ResourceRequest needs, long largestDevice) {
    long part = largestDevice / PARTS * PART;
    return least == 0 || part == 0 || needs.gpus() == 0 || needs.bound() != null
        ? OptionalLong.empty()
        : OptionalLong.of(Math.max(least, part));
  }
}
