package io.remuda.coordinator.occupancy;

/**
 * A time in which an attempt had a GPU or a part of it, or nobody had it. Times are seconds since
 * 1970.
 *
 * @param gpu its UUID
 * @param node where it is
 * @param number by which its machine calls it; empty if that is not known
 * @param attempt as {@code JOB.TASK.ATTEMPT}; empty if nobody had it
 * @param lentMib what was promised to the attempt; 0 if that is not known, and for nobody
 * @param gap why nobody had it; empty for an attempt
 * @param keptFor the job that it was kept for, or too little for; 0 for none
 * @param to when it was over; for one that is not, when it was seen last
 */
public record GpuSpan(
    String gpu,
    String node,
    String number,
    String attempt,
    long lentMib,
    String gap,
    long keptFor,
    long from,
    long to) {

  /** What a span is of; a GPU has several at once if attempts share it. */
  record Key(String gpu, String attempt) {}

  Key key() {
    return new Key(gpu, attempt);
  }

  /** Returns whether nobody had it. */
  public boolean isUnused() {
    return attempt.isEmpty();
  }

  /** Returns a copy with other times. */
  public GpuSpan during(long first, long last) {
    return new GpuSpan(gpu, node, number, attempt, lentMib, gap, keptFor, first, last);
  }

  /** Returns whether another one says the same. */
  boolean isLike(GpuSpan other) {
    return node.equals(other.node)
        && attempt.equals(other.attempt)
        && gap.equals(other.gap)
        && keptFor == other.keptFor;
  }
}
