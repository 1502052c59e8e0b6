package io.remuda.coordinator.profile;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.TreeMap;

/**
 * How long runs of a type took with their devices for themselves, and how fast others were beside a
 * run of some type.
 *
 * <p>A run that took {@code t0} alone and {@code tx} beside one of type X has done in {@code tx}
 * what is left of {@code W}, the time of a run alone, after {@code t0}: its speed beside X was
 * {@code (W - t0) / tx}. That means something only where all runs of the type do the same work, so
 * once runs alone are seen to differ nothing is taken from any.
 *
 * @param alone milliseconds of the newest runs that were alone, the oldest first, by the devices
 *     that they had; and of those that were not, but took less
 * @param beside speeds, those that were measured last at the end
 */
public record PairSpeeds(Map<String, List<Long>> alone, List<Beside> beside) {

  /**
   * How fast the newest run was beside one of another type.
   *
   * @param percent of its speed alone, 1 to 100
   */
  public record Beside(JobType type, int percent) {}

  /**
   * A good run.
   *
   * @param devices that it had, by model; what is alike runs alike
   * @param millis from start to end
   * @param alone the part of this in which nobody shared its devices, 0 to 1
   * @param company the type beside which it was for longest, or null for none
   * @param beside the part in which one of them was there and nobody else, 0 to 1
   * @param loneRuns so many runs alone have to be known for it to show a speed
   */
  public record Run(
      String devices, long millis, double alone, JobType company, double beside, int loneRuns) {
    public Run {
      Objects.requireNonNull(devices, "devices");
    }

    /** One that had its devices for itself. */
    public static Run alone(String devices, long millis) {
      return new Run(devices, millis, 1, null, 0, 1);
    }

    /** The same, believed only once so many runs alone are known. */
    public Run believedAfter(int runs) {
      return new Run(devices, millis, alone, company, beside, runs);
    }
  }

  /** Of a type that has not been seen yet. */
  public static final PairSpeeds NONE = new PairSpeeds(Map.of(), List.of());

  /** Of a shorter run too much is start and end. */
  static final long SHORTEST_MILLIS = 2000;

  /** So many runs alone are remembered for each kind of devices. */
  static final int WINDOW = 5;

  /** So many other types are remembered. */
  static final int MOST_BESIDE = 100;

  /** A run with company for less of its time was alone. */
  private static final double NEARLY_ALL = 0.9;

  private static final double HALF = 0.5;

  /** Runs do the same work if none took more than so many times as long as another. */
  private static final double STEADY = 1.25;

  private static final int ALL = 100;

  public PairSpeeds {
    Map<String, List<Long>> copy = new TreeMap<>();
    alone.forEach((devices, millis) -> copy.put(devices, List.copyOf(millis)));
    alone = Collections.unmodifiableMap(copy);
    beside = List.copyOf(beside);
  }

  /** Whether runs of the type do the same work, as far as is known. */
  @JsonIgnore
  public boolean isSteady() {
    return alone.values().stream().allMatch(PairSpeeds::isSteady);
  }

  private static boolean isSteady(List<Long> millis) {
    return millis.isEmpty() || Collections.max(millis) <= STEADY * Collections.min(millis);
  }

  /** In percent of the speed alone; nothing if it was not measured. */
  OptionalInt speedBeside(JobType type) {
    return beside.stream()
        .filter(one -> one.type().equals(type))
        .mapToInt(Beside::percent)
        .findFirst();
  }

  /** With a good run more. */
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

  /** Whether it was faster with company than others alone, which shows that runs differ. */
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

  /** As if one of that type had never been there. */
  PairSpeeds without(JobType type) {
    return new PairSpeeds(alone, beside.stream().filter(one -> !one.type().equals(type)).toList());
  }
}
