package io.remuda.coordinator.usage;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What is said of what was held and not used. */
class UnusedResourceTextTest {
  private static final long HOUR = 3_600_000;
  private static final long GIB = 1L << 30;

  private static UsageTotals gpus(long measured, long used, long idle) {
    return new UsageTotals(1, 1, 1, measured, 0, 0, 0, measured, measured, used, idle, 0, 0, 0, 0);
  }

  private static UsageTotals cpus(long ran, long held, long used) {
    return new UsageTotals(1, 1, 1, ran, held, held, used, 0, 0, 0, 0, 0, 0, 0, 0);
  }

  private static UsageTotals memory(long askedMibSeconds, long usedMibSeconds, long peak) {
    return new UsageTotals(
        1, 1, 1, HOUR, 0, 0, 0, 0, 0, 0, 0, askedMibSeconds, usedMibSeconds, peak, 0);
  }

  @Test
  void gpus_that_were_never_used_are_named() {
    assertEquals(
        List.of("held GPUs for 2.0 GPU hours and never used one: submit them without --gpus"),
        UnusedResourceText.of(gpus(2 * HOUR, 0, 2 * HOUR)));
    assertEquals(
        List.of(
            "1.0 of 4.0 GPU hours went to tasks that never used their GPU: look whether these found"
                + " it (remuda logs), or submit them without --gpus"),
        UnusedResourceText.of(gpus(4 * HOUR, 3 * HOUR, HOUR)));
    assertEquals(
        List.of(
            "kept their GPUs 10 % busy over 4.0 GPU hours: with --gpu-mem auto several share one"),
        UnusedResourceText.of(gpus(4 * HOUR, 4 * HOUR / 10, 0)));
  }

  @Test
  void cpus_and_memory_far_above_their_use_are_named_with_what_would_do() {
    assertEquals(
        List.of("held 8.0 CPUs each and used 1.2 on average: --cpus 2 would do"),
        UnusedResourceText.of(cpus(HOUR, 8 * HOUR, 12 * HOUR / 10)));
    assertEquals(
        List.of(
            "used 5 % of the memory that they asked for; the highest peak was 6GiB: --mem 8GiB"
                + " would do"),
        UnusedResourceText.of(memory(2000, 100, 6 * GIB)));
  }

  @Test
  void nothing_is_said_of_good_use_of_little_and_of_what_is_not_known() {
    assertEquals(List.of(), UnusedResourceText.of(gpus(4 * HOUR, 3 * HOUR, 0)));
    assertEquals(List.of(), UnusedResourceText.of(gpus(60_000, 0, 60_000)));
    assertEquals(List.of(), UnusedResourceText.of(cpus(HOUR, 4 * HOUR, 2 * HOUR)));
    assertEquals(List.of(), UnusedResourceText.of(cpus(HOUR, HOUR, 0)), "one CPU is the least");
    assertEquals(List.of(), UnusedResourceText.of(memory(2000, 1000, GIB)));
    assertEquals(List.of(), UnusedResourceText.of(UsageTotals.NONE));
  }
}
