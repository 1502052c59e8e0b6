package io.remuda.coordinator.profile;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.TreeMap;

/**
 * Durations of a type's runs with exclusive devices, and speeds of its runs beside other types.
 *
 * <p>Let {@code W} be the duration of a run alone. A run that was alone for {@code t0} and beside
 * type X for {@code tx} has done the work of {@code W - t0} in {@code tx}: its speed beside X was
 * {@code (W - t0) / tx}. This is valid only if all runs of the type do the same work, so once the
 * durations of runs alone differ, no speed is computed.
 *
 * @param alone by models of the devices, milliseconds of the newest runs alone, the oldest first;
 *     also of runs beside others that took clearly less
 * @param beside speeds beside other types, the newest last
 */
public record PairSpeeds(Map<String, List<Long>> alone, List<Beside> beside) {

  /**
   * The speed of the newest run beside a given type.
   *
   * @param percent percent of its speed alone, 1 to 100
   */
  public record Beside(JobType type, int percent) {}

  /**
   * A successful run.
   *
   * @param devices models of its devices; only runs on equal models are compared
   * @param millis duration from start to end
   * @param alone fraction of the duration without other tasks on its devices, 0 to 1
   * @param company the type that it ran beside for longest, or null for none
   * @param beside fraction of the duration beside only one task of that type, 0 to 1
   * @param loneRuns number of runs alone that must be known before this run yields a speed
   */
  public record Run(
      String devices, long millis, double alone, JobType company, double beside, int loneRuns) {
    public Run {
      Objects.requireNonNull(devices, "devices");
    }

    /** Creates a run with exclusive devices. */
    public static Run alone(String devices, long millis) {
      return new Run(devices, millis, 1, null, 0, 1);
    }

    /** Returns a copy with another value of {@code loneRuns}. */
    public Run believedAfter(int runs) {
      return new Run(devices, millis, alone, company, beside, runs);
    }
  }

  /** The speeds of a type without runs. */
  public static final PairSpeeds NONE = new PairSpeeds(Map.of(), List.of());

  /** Minimum duration; in shorter runs the start and end take too large a part. */
  static final long SHORTEST_MILLIS = 2000;

  /** Maximum number of runs alone that are kept for each combination of device models. */
  static final int WINDOW = 5;

  /** Maximum number of speeds beside other types that are kept. */
  static final int MOST_BESIDE = 100;

  /** A run that was alone for at least this fraction counts as alone. */
  private static final double NEARLY_ALL = 0.9;

  private static final double HALF = 0.5;

  /** Maximum ratio of the durations of runs that do the same work. */
  private static final double STEADY = 1.25;

  private static final int ALL = 100;

  public PairSpeeds {
    Map<String, List<Long>> copy = new TreeMap<>();
    alone.forEach((devices, millis) -> copy.put(devices, List.copyOf(millis)));
    alone = Collections.unmodifiableMap(copy);
    beside = List.copyOf(beside);
  }

  /** Returns whether the known runs of the type do the same work. */
  @JsonIgnore
  public boolean isSteady() {
    return alone.values().stream().allMatch(PairSpeeds::isSteady);
  }

  private static boolean isSteady(List<Long> millis) {
    return millis.isEmpty() || Collections.max(millis) <= STEADY * Collections.min(millis);
  }

  /** Returns the speed beside a type in percent of the speed alone, empty if not measured. */
  public OptionalInt speedBeside(JobType type) {
    return beside.stream()
        .filter(one -> one.type().equals(type))
        .mapToInt(Beside::percent)
        .findFirst();
  }

  /** Returns the speeds beside all types that are known, in percent of the speed alone. */
  public Map<JobType, Integer> besideAll() {
    Map<JobType, Integer> all = new HashMap<>();
    beside.forEach(one -> all.put(one.type(), one.percent()));
    return all;
  }

  /** Returns the speeds after a further successful run. */
  PairSpeeds ran(Run run) {
    if (run.millis() < SHORTEST_MILLIS) {
      return this;
    }
    List<Long> known = alone.getOrDefault(run.devices(), List.of());
    if (run.alone() >= NEARLY_ALL || isShorter(run.millis(), known)) {
      return withAlone(run.devices(), run.millis());
    }
    double left = known.isEmpty() ? 0 : median(known) - run.alone() * run.millis();
    boolean shows = known.size() >= run.loneRuns() && isSteady() && run.beside() >= HALF;
    return shows && left > 0
        ? withBeside(run.company(), left / (run.beside() * run.millis()))
        : this;
  }

  /** Returns whether a run beside others was clearly faster than all alone: the work differs. */
  private static boolean isShorter(long millis, List<Long> known) {
    return !known.isEmpty() && millis * STEADY < Collections.min(known);
  }

  private static long median(List<Long> millis) {
    return millis.stream().sorted().toList().get(millis.size() / 2);
  }

  private PairSpeeds withAlone(String devices, long millis) {
    Map<String, List<Long>> all = new TreeMap<>(alone);
    List<Long> newest = new ArrayList<>(all.getOrDefault(devices, List.of()));
    newest.add(millis);
    all.put(devices, newest.subList(Math.max(0, newest.size() - WINDOW), newest.size()));
    return new PairSpeeds(all, beside);
  }

  private PairSpeeds withBeside(JobType type, double speed) {
    int percent = (int) Math.max(1, Math.min(ALL, Math.round(speed * ALL)));
    List<Beside> all = new ArrayList<>(without(type).beside());
    all.add(new Beside(type, percent));
    return new PairSpeeds(alone, all.subList(Math.max(0, all.size() - MOST_BESIDE), all.size()));
  }

  /** Returns the speeds after an epoch beside one task of a type, the mean of it and the known. */
  PairSpeeds epochBeside(JobType type, double speed) {
    OptionalInt known = speedBeside(type);
    return withBeside(
        type, known.isPresent() ? (known.getAsInt() / (double) ALL + speed) / 2 : speed);
  }

  /** Returns a copy without the speed beside a type. */
  PairSpeeds without(JobType type) {
    return new PairSpeeds(alone, beside.stream().filter(one -> !one.type().equals(type)).toList());
  }
}
