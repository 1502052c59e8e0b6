package io.remuda.coordinator.schedule.score;

import io.remuda.coordinator.schedule.model.RemainingNodeCapacity;
import io.remuda.worker.job.ResourceRequest;

/**
 * Chooses a node at random: a hash of the node's name and the number of tasks placed so far, so
 * that equal input gives an equal plan. Of use as a baseline.
 */
final class RandomScore implements Score {

  private static final long GOLDEN = 0x9E3779B97F4A7C15L;
  private static final long MIX = 0xBF58476D1CE4E5B9L;
  private static final double UNIT = 0x1.0p-53;

  private final long round;

  /**
   * @param round a number that changes from decision to decision
   */
  RandomScore(long round) {
    this.round = round;
  }

  @Override
  public double of(RemainingNodeCapacity node, ResourceRequest needs) {
    long bits = (round + 1) * GOLDEN ^ node.name().hashCode() * MIX; // SplitMix64
    bits = (bits ^ bits >>> 30) * MIX;
    bits = (bits ^ bits >>> 27) * GOLDEN;
    return ((bits ^ bits >>> 31) >>> 11) * UNIT;
  }
}
