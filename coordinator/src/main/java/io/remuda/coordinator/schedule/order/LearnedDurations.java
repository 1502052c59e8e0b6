package io.remuda.coordinator.schedule.order;

import java.util.HashMap;
import java.util.Map;

/**
 * How long jobs with so many GPUs run, learned from those that have ended and from how long others
 * have run without an end (Kaplan and Meier, 1958). Time is cut into pieces that grow by a factor;
 * of each piece it is counted how many jobs have come to it, and how many have ended in it. Jobs
 * with another number of GPUs count as a few jobs, and where nothing is known yet, the longer a job
 * has run, the longer it will run. Old jobs count less. Single-threaded.
 */
public final class LearnedDurations {

  /** Each piece of time is so many times longer than all before. */
  static final double STEP = 1.5;

  /** The first piece, in seconds. */
  private static final double FIRST_SECONDS = 10;

  /** Pieces up to half a year. */
  private static final int PIECES = 36;

  /** So many jobs of another number of GPUs count as much as all that is known of them. */
  private static final double OTHERS = 2;

  /** Of jobs of which nothing is known, a part of 1 - STEP^-0.4 ends in each piece. */
  private static final double UNKNOWN = 1 - Math.pow(STEP, -0.4);

  /** The part of them that ends in the first piece, so that the next one ends fewer per second. */
  private static final double UNKNOWN_AT_FIRST = 0.4;

  /** What the end of a job leaves of the weight of earlier ones. */
  private static final double KEPT = 0.995;

  private static final double MILLIS = 1000;

  /** When each piece begins, in seconds, and when the last one ends: looked up for each job. */
  private static final double[] STARTS = new double[PIECES + 1];

  static {
    for (int piece = 1; piece <= PIECES; piece++) {
      STARTS[piece] = FIRST_SECONDS * Math.pow(STEP, piece - 1);
    }
  }

  /** Jobs with one number of GPUs, or all. */
  private static final class Kind {
    private final Kind others;
    private final double[] came = new double[PIECES];
    private final double[] ended = new double[PIECES];
    private double[] index;
    private long computedAt = -1;

    private Kind(Kind others) {
      this.others = others;
    }

    private double chance(int piece) {
      double elsewhere = others == null ? unknown(piece) : others.chance(piece);
      return (ended[piece] + OTHERS * elsewhere) / (came[piece] + OTHERS);
    }

    private static double unknown(int piece) {
      return piece == 0 ? UNKNOWN_AT_FIRST : UNKNOWN;
    }

    private void fade() {
      for (int i = 0; i < PIECES; i++) {
        came[i] *= KEPT;
        ended[i] *= KEPT;
      }
    }

    private void compute() {
      index = new double[PIECES];
      for (int from = 0; from < PIECES; from++) {
        double runs = 1;
        double hasEnded = 0;
        double seconds = 0;
        for (int piece = from; piece < PIECES; piece++) {
          double ends = runs * chance(piece);
          seconds += (runs - ends / 2) * (start(piece + 1) - start(piece));
          hasEnded += ends;
          runs -= ends;
          index[from] = Math.max(index[from], hasEnded / seconds);
        }
      }
    }
  }

  private final Kind all = new Kind(null);
  private final Map<Integer, Kind> byGpus = new HashMap<>();
  private long ends;

  private static double start(int piece) {
    return STARTS[piece];
  }

  /** Returns in which piece of time a job is that has run so long. */
  private static int piece(long millis) {
    double seconds = millis / MILLIS;
    int piece = 0;
    while (piece < PIECES - 1 && seconds >= start(piece + 1)) {
      piece++;
    }
    return piece;
  }

  /**
   * Returns after how many milliseconds the {@link #index} of a job changes that has run so long.
   */
  public static long changesAt(long ranMillis) {
    return (long) Math.ceil(start(piece(ranMillis) + 1) * MILLIS);
  }

  /**
   * Counts that a job is still running.
   *
   * @param before how long it had run when this was last said of it, 0 before the first time
   * @param now how long it has run
   */
  public void ran(int gpus, long before, long now) {
    Kind kind = kind(gpus);
    for (int piece = piece(before); piece < piece(now); piece++) {
      kind.came[piece]++;
      all.came[piece]++;
    }
  }

  /**
   * Counts the end of a job.
   *
   * @param before how long it had run when {@link #ran} was last told of it
   * @param millis how long it ran in all
   */
  public void ended(int gpus, long before, long millis) {
    ran(gpus, before, millis);
    Kind kind = kind(gpus);
    kind.fade();
    all.fade();
    int piece = piece(millis);
    kind.came[piece]++;
    all.came[piece]++;
    kind.ended[piece]++;
    all.ended[piece]++;
    ends++;
  }

  private Kind kind(int gpus) {
    return byGpus.computeIfAbsent(gpus, any -> new Kind(all));
  }

  /** Returns the Gittins index of a job, in ends per second. */
  public double index(int gpus, long ranMillis) {
    Kind kind = kind(gpus);
    if (kind.computedAt != ends) {
      kind.compute();
      kind.computedAt = ends;
    }
    return kind.index[piece(ranMillis)];
  }
}
