package io.remuda.coordinator.profile;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.remuda.worker.job.ResourceRequest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;

/**
 * The measured GPU use of a type's runs. The newest {@value #WINDOW} successful runs count, so the
 * reservation rises with the first run that used more, and falls only after this many used less.
 *
 * @param peaks peak bytes of the newest successful runs, the oldest first
 * @param runs number of successful runs
 * @param most largest peak in bytes of all runs, successful or not
 * @param floor minimum of the reservation in bytes, known from failed runs; 0 for none
 * @param utilPercent mean GPU utilisation of the newest run with exclusive devices, or null
 * @param wallMillis duration of the newest successful run
 * @param unusedRuns number of the newest successful runs in a row that used no memory of the
 *     devices that each had to itself; 0 in profiles stored by older builds
 * @param devicePercent percent of a device that the largest of the newest peaks took; 0 if unknown
 * @param speeds durations alone and speeds beside others; null, as stored by older builds, is none
 * @param epochs what epochs of its trainings took; null, as stored by older builds, is none
 * @param times how long its tasks took; null, as stored by older builds, is none
 * @param starts how far forecasts of starts were off, for {@link #CLUSTER} only; null is none
 */
public record Profile(
    JobType type,
    List<Long> peaks,
    long runs,
    long most,
    long floor,
    Integer utilPercent,
    long wallMillis,
    int unusedRuns,
    int devicePercent,
    PairSpeeds speeds,
    EpochSpeeds epochs,
    RunTimes times,
    StartErrors starts) {

  /** A type that no job can have: what is learned of the cluster as a whole. */
  public static final JobType CLUSTER = new JobType("", "cluster");

  /** Number of successful runs that count. */
  static final int WINDOW = 20;

  /**
   * Number of runs without use after which a type needs nothing. One such run may be an exception,
   * such as a training that finds its work done. If the type does use memory later, that is seen
   * within a second and counts at once, so a wrong answer costs little.
   */
  public static final int UNUSED_RUNS = 3;

  /** TensorFlow takes all but some hundred MiB by default, vLLM and older JAX 90 %. */
  private static final int NEARLY_ALL_PERCENT = 85;

  private static final long MEBIBYTE = 1L << 20;
  private static final int ALL = 100;

  /** Utilisation is rounded up to these steps, so that tasks do not change classes each time. */
  private static final int STEP = 10;

  /** Factor on the measured peak: allocators differ a little from run to run. */
  private static final double MARGIN = 1.05;

  /** Factor if the peaks of several runs hardly differ. */
  private static final double STEADY_MARGIN = 1.02;

  private static final int STEADY_RUNS = 3;
  private static final double STEADY_SPREAD = 0.01;

  /** Minimum reservation in bytes. */
  private static final long LEAST = 64 * MEBIBYTE;

  public Profile {
    Objects.requireNonNull(type, "type");
    peaks = List.copyOf(peaks);
    speeds = speeds == null ? PairSpeeds.NONE : speeds;
    epochs = epochs == null ? EpochSpeeds.NONE : epochs;
    times = times == null ? RunTimes.NONE : times;
    starts = starts == null ? StartErrors.NONE : starts;
  }

  /** Creates the profile of a type without runs. */
  public static Profile unknown(JobType type) {
    return new Profile(
        type,
        List.of(),
        0,
        0,
        0,
        null,
        0,
        0,
        0,
        PairSpeeds.NONE,
        EpochSpeeds.NONE,
        RunTimes.NONE,
        StartErrors.NONE);
  }

  /** Returns whether a run has succeeded. */
  @JsonIgnore
  public boolean isKnown() {
    return !peaks.isEmpty();
  }

  /** Returns a request with the memory and utilisation that were measured, if any were. */
  public ResourceRequest applied(ResourceRequest asked) {
    if (!isKnown()) {
      return asked;
    }
    int percent = utilPercent == null ? 0 : Math.min(ALL, (utilPercent + STEP - 1) / STEP * STEP);
    return asked.withGpuMemory(reservation()).withGpuPercent(percent);
  }

  /** Returns the bytes promised to a task, in whole mebibytes; meaningful if {@link #isKnown}. */
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

  /** Returns the largest peak for which at most {@code reservation} bytes are promised. */
  public static long peakFor(long reservation) {
    return (long) (reservation / MARGIN) - MEBIBYTE;
  }

  /**
   * Returns a quantile of the newest peaks in bytes, by the nearest rank; 0 without runs.
   *
   * @param which 0 to 1; 0.5 for the median
   */
  public long quantile(double which) {
    List<Long> sorted = peaks.stream().sorted().toList();
    return sorted.isEmpty() ? 0 : sorted.get((int) Math.round(which * (sorted.size() - 1)));
  }

  /**
   * Returns the profile after a further successful run. The floor is dropped once {@value #WINDOW}
   * runs have succeeded with less.
   */
  public Profile ran(long peak, Integer util, long millis) {
    return ran(peak, 0, util, millis);
  }

  /**
   * Returns the profile after a further successful run whose peak was {@code percent} of its
   * smallest device; see {@link #ran(long, Integer, long)}.
   */
  public Profile ran(long peak, int percent, Integer util, long millis) {
    List<Long> newest = new ArrayList<>(peaks);
    newest.add(peak);
    if (newest.size() > WINDOW) {
      newest.remove(0);
    }
    boolean evidence =
        newest.size() == WINDOW && newest.stream().allMatch(one -> one * MARGIN < floor);
    return needing(
        newest,
        runs + 1,
        Math.max(most, peak),
        evidence ? 0 : floor,
        util == null ? utilPercent : util,
        millis,
        peak > 0 ? 0 : unusedRuns,
        devicePercent(newest, percent));
  }

  /**
   * Returns the profile of an unknown type of which a run that goes on has shown a peak; it becomes
   * known by it.
   */
  public Profile observed(long peak, int percent, Integer util) {
    return needing(
        List.of(peak),
        runs,
        Math.max(most, peak),
        floor,
        util == null ? utilPercent : util,
        wallMillis,
        unusedRuns,
        percent);
  }

  /** Returns the percent of the largest of these peaks, of which the last one took {@code last}. */
  private int devicePercent(List<Long> newest, int last) {
    long largest = Collections.max(newest);
    if (newest.get(newest.size() - 1) == largest) {
      return last;
    }
    return peaks.stream().anyMatch(peak -> peak > largest) ? 0 : devicePercent;
  }

  /**
   * Returns how much of a device the type takes, in percent, if that is so much that hardly another
   * task fits beside it; empty otherwise. Frameworks that take memory in advance do so.
   */
  public OptionalInt nearlyAllPercent() {
    return devicePercent >= NEARLY_ALL_PERCENT
        ? OptionalInt.of(devicePercent)
        : OptionalInt.empty();
  }

  /**
   * Returns the profile after a further successful run that used no memory of the devices that it
   * had to itself. A type that is not known otherwise becomes known with the least reservation once
   * this was so {@value #UNUSED_RUNS} times in a row.
   */
  public Profile unused(long millis) {
    Profile after =
        unusedRuns + 1 < UNUSED_RUNS || isKnown()
            ? needing(peaks, runs + 1, most, floor, utilPercent, millis, 0, devicePercent)
            : ran(0, null, millis);
    return after.withUnusedRuns(unusedRuns + 1);
  }

  private Profile withUnusedRuns(int count) {
    return needing(peaks, runs, most, floor, utilPercent, wallMillis, count, devicePercent);
  }

  /** Returns the profile after a further successful run with known co-located tasks. */
  public Profile took(PairSpeeds.Run run) {
    return withSpeeds(speeds.ran(run));
  }

  private Profile needing(
      List<Long> newest,
      long count,
      long largest,
      long least,
      Integer util,
      long millis,
      int unused,
      int percent) {
    return new Profile(
        type, newest, count, largest, least, util, millis, unused, percent, speeds, epochs, times,
        starts);
  }

  private Profile learning(
      PairSpeeds others, EpochSpeeds ofEpochs, RunTimes took, StartErrors errors) {
    return new Profile(
        type,
        peaks,
        runs,
        most,
        floor,
        utilPercent,
        wallMillis,
        unusedRuns,
        devicePercent,
        others,
        ofEpochs,
        took,
        errors);
  }

  /** Returns the profile of a type whose tasks take so long. */
  Profile taking(RunTimes other) {
    return withLearned(other, starts);
  }

  /** Returns the profile of the cluster after further starts. */
  public Profile starting(StartErrors other) {
    return withLearned(times, other);
  }

  private Profile withLearned(RunTimes took, StartErrors errors) {
    return learning(speeds, epochs, took, errors);
  }

  /** Returns whether it has durations alone, and nothing of what its tasks need of a GPU. */
  @JsonIgnore
  public boolean isOfTimesOnly() {
    Profile none = unknown(type);
    return !equals(none) && withLearned(RunTimes.NONE, StartErrors.NONE).equals(none);
  }

  /**
   * Returns the profile after an epoch of a training beside one task of another type.
   *
   * @param alone what the epoch takes alone, in milliseconds
   * @param millis what it took
   */
  public Profile trainedBeside(JobType other, long alone, long millis) {
    return withSpeeds(speeds.epochBeside(other, (double) alone / millis));
  }

  /** Returns the profile after a further epoch of a training. */
  public Profile trained(EpochSpeeds.EpochTime epoch) {
    return withEpochs(epochs.and(epoch));
  }

  /** Returns the profile after a training whose first epoch began this long after its start. */
  public Profile restarted(long millis) {
    return withEpochs(epochs.started(millis));
  }

  private Profile withEpochs(EpochSpeeds others) {
    return learning(speeds, others, times, starts);
  }

  /** Returns a copy without the speed beside a type. */
  Profile without(JobType other) {
    return withSpeeds(speeds.without(other));
  }

  private Profile withSpeeds(PairSpeeds others) {
    return learning(others, epochs, times, starts);
  }

  /** Returns the profile after a run that ran out of memory and is retried with {@code bytes}. */
  public Profile tried(long bytes) {
    return withFloor(Math.max(floor, bytes));
  }

  /** Drops the floor after a measured run that had been given {@code bytes} because of it. */
  public Profile seenWith(long bytes) {
    return floor <= bytes ? withFloor(0) : this;
  }

  private Profile withFloor(long bytes) {
    return needing(peaks, runs, most, bytes, utilPercent, wallMillis, unusedRuns, devicePercent);
  }

  /** Returns the profile after a run that failed with a peak of {@code bytes}. */
  public Profile failed(long bytes) {
    return needing(
        peaks,
        runs,
        Math.max(most, bytes),
        Math.max(floor, bytes),
        utilPercent,
        wallMillis,
        unusedRuns,
        devicePercent);
  }
}
