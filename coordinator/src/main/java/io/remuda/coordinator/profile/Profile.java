package io.remuda.coordinator.profile;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;

/**
 * What the runs of one type used of a GPU. The newest {@value #WINDOW} good ones count: so what is
 * reserved goes up with the first run that used more, and down only when that many have used less.
 *
 * @param peaks bytes of the newest good runs, the oldest first
 * @param runs how many good ones there were
 * @param most bytes that any run used, good or not
 * @param floor bytes that were too little, or that a run had used when it failed; 0 for none
 * @param utilPercent mean utilisation of the GPU in the newest run that had it for itself, or null
 * @param wallMillis how long the newest good run took
 * @param speeds how long runs take alone and beside others; null, as older builds have stored it,
 *     for none
 */
public record Profile(
    JobType type,
    List<Long> peaks,
    long runs,
    long most,
    long floor,
    Integer utilPercent,
    long wallMillis,
    PairSpeeds speeds) {

  /** So many good runs count. */
  static final int WINDOW = 20;

  private static final long MEBIBYTE = 1L << 20;

  /** Of what was measured: allocators differ a little from run to run. */
  private static final double MARGIN = 1.05;

  /** Where several runs have shown that they hardly do. */
  private static final double STEADY_MARGIN = 1.02;

  private static final int STEADY_RUNS = 3;
  private static final double STEADY_SPREAD = 0.01;

  /** A task that was not seen to use its GPU gets this much of it. */
  private static final long LEAST = 64 * MEBIBYTE;

  public Profile {
    Objects.requireNonNull(type, "type");
    peaks = List.copyOf(peaks);
    speeds = speeds == null ? PairSpeeds.NONE : speeds;
  }

  /** Of a type of which nothing ran yet. */
  public static Profile unknown(JobType type) {
    return new Profile(type, List.of(), 0, 0, 0, null, 0, PairSpeeds.NONE);
  }

  /** Whether a run has ended well. */
  @JsonIgnore
  public boolean isKnown() {
    return !peaks.isEmpty();
  }

  /** Bytes that a task of the type is promised, in whole mebibytes; only where it is known. */
  public long reservation() {
    long seen = Math.max(peaks.stream().max(Long::compare).orElse(0L), 0);
    long bytes = Math.max(Math.max((long) (seen * margin()), floor), LEAST);
    return (bytes + MEBIBYTE - 1) / MEBIBYTE * MEBIBYTE;
  }

  private double margin() {
    if (peaks.size() < STEADY_RUNS) {
      return MARGIN;
    }
    long least = Collections.min(peaks);
    long most = Collections.max(peaks);
    return most - least <= most * STEADY_SPREAD ? STEADY_MARGIN : MARGIN;
  }

  /** The largest peak for which no more than so many bytes are promised. */
  public static long peakFor(long reservation) {
    return (long) (reservation / MARGIN) - MEBIBYTE;
  }

  /**
   * A quantile of the newest peaks in bytes; 0 if there are none.
   *
   * @param which 0 to 1, as 0.5 for the median; the nearest rank
   */
  public long quantile(double which) {
    List<Long> sorted = peaks.stream().sorted().toList();
    return sorted.isEmpty() ? 0 : sorted.get((int) Math.round(which * (sorted.size() - 1)));
  }

  /** With a good run more. What was too little before is forgotten once that many ran with less. */
  public Profile ran(long peak, Integer util, long millis) {
    List<Long> newest = new ArrayList<>(peaks);
    newest.add(peak);
    if (newest.size() > WINDOW) {
      newest.remove(0);
    }
    boolean evidence =
        newest.size() == WINDOW && newest.stream().allMatch(one -> one * MARGIN < floor);
    return new Profile(
        type,
        newest,
        runs + 1,
        Math.max(most, peak),
        evidence ? 0 : floor,
        util == null ? utilPercent : util,
        millis,
        speeds);
  }

  /** With a good run more, of which it is known who was beside it. */
  public Profile took(PairSpeeds.Run run) {
    return withSpeeds(speeds.ran(run));
  }

  /** As if one of that type had never been beside it. */
  Profile without(JobType other) {
    return withSpeeds(speeds.without(other));
  }

  private Profile withSpeeds(PairSpeeds others) {
    return new Profile(type, peaks, runs, most, floor, utilPercent, wallMillis, others);
  }

  /** With a run that failed for want of memory and is tried again with so many bytes. */
  public Profile tried(long bytes) {
    return withFloor(Math.max(floor, bytes));
  }

  /** With a run that had been given so many bytes because less was too little: now it is seen. */
  public Profile seenWith(long bytes) {
    return floor <= bytes ? withFloor(0) : this;
  }

  private Profile withFloor(long bytes) {
    return new Profile(type, peaks, runs, most, bytes, utilPercent, wallMillis, speeds);
  }

  /** With a run that failed when it had used so much. */
  public Profile failed(long bytes) {
    return new Profile(
        type,
        peaks,
        runs,
        Math.max(most, bytes),
        Math.max(floor, bytes),
        utilPercent,
        wallMillis,
        speeds);
  }
}
