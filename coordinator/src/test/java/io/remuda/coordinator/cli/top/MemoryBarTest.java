package io.remuda.coordinator.cli.top;

import static io.remuda.coordinator.cli.top.Pictures.GIB;
import static io.remuda.coordinator.cli.top.Pictures.gpu;
import static io.remuda.coordinator.cli.top.Pictures.shared;
import static io.remuda.coordinator.cli.top.Pictures.whole;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.cli.top.TopScreenData.Gpu;
import io.remuda.coordinator.cli.top.TopScreenData.JobShare;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class MemoryBarTest {

  private static String drawn(Gpu gpu, int columns) {
    return MemoryBar.of(gpu, JobLetters.of(List.of(gpu)), columns).stream()
        .map(piece -> String.valueOf(piece.sign()).repeat(piece.columns()))
        .collect(Collectors.joining());
  }

  @Test
  void what_is_used_comes_first_then_what_is_promised_then_what_is_free() {
    assertEquals(
        "BBBC##bbbc..........",
        drawn(gpu("n1", 0, 30, 10, shared(1, 30, 15), shared(2, 10, 5)), 20));
  }

  @Test
  void tasks_of_one_job_are_one_piece() {
    assertEquals(
        "BBBBbbb.............",
        drawn(gpu("n1", 0, 20, 0, shared(1, 15, 10), shared(1, 20, 10)), 20));
  }

  @Test
  void a_whole_gpu_is_promised_but_for_what_others_use() {
    assertEquals("BBBB#bbbbb", drawn(gpu("n1", 0, 50, 10, whole(1, 100, 40)), 10));
  }

  @Test
  void who_uses_more_than_was_promised_is_seen_with_that() {
    assertEquals("BBBBB.....", drawn(gpu("n1", 0, 50, 0, shared(1, 20, 50)), 10));
  }

  @Test
  void an_empty_gpu_is_free_and_little_is_not_nothing() {
    assertEquals("..........", drawn(gpu("n1", 0, 0, 0), 10));
    assertEquals("#.........", drawn(gpu("n1", 0, 1, 1), 10));
    assertEquals("B#bbbbbbbb", drawn(gpu("n1", 0, 2, 1, whole(1, 100, 1)), 10));
  }

  @Test
  void what_belongs_to_nobody_knows_whom_is_a_question_mark() {
    Gpu unknown =
        Pictures.plainGpu(
            "n1",
            false,
            "0",
            "H200",
            "shared",
            "ok",
            100 * GIB,
            40 * GIB,
            List.of(new JobShare(1, false, 20 * GIB, null)),
            null,
            null,
            null,
            null);
    assertEquals("????bb....", drawn(unknown, 10));
  }

  @Test
  void more_jobs_than_columns_are_cut() {
    List<JobShare> parts = new ArrayList<>();
    for (int job = 0; job < 26; job++) {
      parts.add(shared(job, 1, 1));
    }
    assertEquals("ABCDEFGHIJ", drawn(gpu("n1", 0, 26, 0, parts.toArray(JobShare[]::new)), 10));
  }

  record Held(boolean whole, long reserved, long used) {}

  @Property
  void a_bar_is_always_as_long_as_it_should_be(
      @ForAll @LongRange(min = 1, max = Long.MAX_VALUE / 1_000_000) long total,
      @ForAll @Size(max = 30) List<@LongRange(min = -1, max = 1L << 42) Long> used,
      @ForAll @LongRange(min = 0, max = 1L << 42) long others,
      @ForAll @IntRange(min = 1, max = 70) int columns) {
    List<JobShare> parts = new ArrayList<>();
    for (long bytes : used) {
      parts.add(
          new JobShare(parts.size() % 7, bytes % 2 == 0, total / 3, bytes < 0 ? null : bytes));
    }
    Gpu gpu =
        Pictures.plainGpu(
            "n", false, "0", "m", "shared", "ok", total, others, parts, others, 1, 1, 1.0);
    String bar = drawn(gpu, columns);
    assertEquals(columns, bar.length(), bar);
    assertTrue(bar.matches("[A-G]*#*[a-g]*\\.*"), bar);
  }
}
