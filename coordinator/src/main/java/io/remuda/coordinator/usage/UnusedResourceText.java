package io.remuda.coordinator.usage;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Says in words what jobs of one user and type held and did not use. What they held for less than
 * six minutes in all is not worth a word. Pure.
 */
public final class UnusedResourceText {

  private static final String NEVER_TOUCHED = "never-touched";
  private static final String WITHOUT_GPUS = "remuda submit --gpus 0";

  private static final double MILLIS_OF_HOUR = 3_600_000;
  private static final long LEAST_MILLIS = 360_000;

  /** Share of the held GPU time from which tasks that never used their GPU are named. */
  private static final double IDLE = 0.1;

  /** Utilisation below which GPUs are worth sharing. */
  private static final double LITTLE_BUSY = 0.25;

  /** Share of the CPUs or the memory below which less would do. */
  private static final double LITTLE_USED = 0.25;

  private static final double MORE_MEMORY = 1.2;
  private static final int GIBIBYTE = 30;
  private static final int MEBIBYTE = 20;
  private static final double PERCENT = 100;

  private UnusedResourceText() {}

  /** Returns sentences about what was not used; none if it was used well or is not known. */
  public static List<String> of(UsageTotals totals) {
    return resources(totals).stream().map(UnusedResource::text).toList();
  }

  /** Returns what was not used; nothing if it was used well or is not known. */
  public static List<UnusedResource> resources(UsageTotals totals) {
    List<UnusedResource> all = new ArrayList<>();
    gpus(totals, all);
    cpus(totals, all);
    memory(totals, all);
    return all;
  }

  private static void gpus(UsageTotals totals, List<UnusedResource> all) {
    long measured = totals.gpuMeasuredMillis();
    if (measured < LEAST_MILLIS) {
      return;
    }
    if (totals.gpuIdleMillis() == measured) {
      all.add(
          new UnusedResource(
              NEVER_TOUCHED,
              "held GPUs for "
                  + hours(measured)
                  + " GPU hours and never used one: submit them without --gpus",
              WITHOUT_GPUS));
    } else if (totals.gpuIdleMillis() > IDLE * measured) {
      all.add(
          new UnusedResource(
              NEVER_TOUCHED,
              hours(totals.gpuIdleMillis())
                  + " of "
                  + hours(measured)
                  + " GPU hours went to tasks that never used their GPU: look whether these found"
                  + " it (remuda logs), or submit them without --gpus",
              WITHOUT_GPUS));
    } else if (totals.gpuUsedMillis() < LITTLE_BUSY * measured) {
      all.add(
          new UnusedResource(
              "hardly-busy",
              "kept their GPUs "
                  + Math.round(PERCENT * totals.gpuUsedMillis() / measured)
                  + " % busy over "
                  + hours(measured)
                  + " GPU hours: with --gpu-mem auto several share one",
              "remuda submit --gpu-mem auto"));
    }
  }

  private static void cpus(UsageTotals totals, List<UnusedResource> all) {
    long measured = totals.cpuMeasuredMillis();
    if (measured < LEAST_MILLIS || totals.ranMillis() == 0) {
      return;
    }
    double asked = (double) totals.cpuHeldMillis() / totals.ranMillis();
    double used = asked * totals.cpuUsedMillis() / measured;
    long enough = (long) Math.max(1, Math.ceil(used));
    if (used < LITTLE_USED * asked && enough < asked) {
      all.add(
          new UnusedResource(
              "over-asked-cpus",
              String.format(
                  Locale.ROOT,
                  "held %.1f CPUs each and used %.1f on average: --cpus %d would do",
                  asked,
                  used,
                  enough),
              "remuda submit --cpus " + enough));
    }
  }

  private static void memory(UsageTotals totals, List<UnusedResource> all) {
    double asked = totals.memoryAskedMibSeconds();
    boolean enoughSeen = totals.ranMillis() >= LEAST_MILLIS;
    if (asked == 0 || !enoughSeen || totals.memoryUsedMibSeconds() >= LITTLE_USED * asked) {
      return;
    }
    String enough = size((long) (MORE_MEMORY * totals.memoryPeakBytes()));
    all.add(
        new UnusedResource(
            "over-asked-memory",
            String.format(
                Locale.ROOT,
                "used %d %% of the memory that they asked for; the highest peak was %s: --mem %s"
                    + " would do",
                Math.round(PERCENT * totals.memoryUsedMibSeconds() / asked),
                size(totals.memoryPeakBytes()),
                enough),
            "remuda submit --mem " + enough));
  }

  /** Returns bytes rounded up, as options take them. */
  private static String size(long bytes) {
    long unit = bytes >= 4L << GIBIBYTE ? GIBIBYTE : MEBIBYTE;
    long count = (bytes + (1L << unit) - 1) >> unit;
    return Math.max(1, count) + (unit == GIBIBYTE ? "GiB" : "MiB");
  }

  private static String hours(long millis) {
    return String.format(Locale.ROOT, "%.1f", millis / MILLIS_OF_HOUR);
  }

  /**
   * Something that jobs of one user and type held and did not use.
   *
   * @param kind such as {@code never-touched}
   * @param text what it was, with advice
   * @param mend what to submit them with
   */
  public record UnusedResource(String kind, String text, String mend) {}
}
