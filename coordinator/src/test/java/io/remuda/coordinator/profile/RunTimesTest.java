package io.remuda.coordinator.profile;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.OptionalLong;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class RunTimesTest {

  private static RunTimes runs(long... millis) {
    RunTimes runs = RunTimes.NONE;
    for (long one : millis) {
      runs = runs.ran(one);
    }
    return runs;
  }

  private static RunTimes upTo(int most) {
    return runs(LongStream.rangeClosed(1, most).map(one -> one * 100).toArray());
  }

  @Test
  void few_runs_give_no_high_level() {
    assertEquals(OptionalLong.empty(), upTo(8).surely());
    assertEquals(OptionalLong.of(900), upTo(9).surely(), "the 9th of 9 is the level 9/10");
    assertEquals(OptionalLong.of(1800), upTo(19).surely(), "the 18th of 19 is the level 18/20");
    assertEquals(OptionalLong.of(100), runs(100).quantile(0.5));
    assertEquals(OptionalLong.empty(), RunTimes.NONE.quantile(0.5));
  }

  @Test
  void only_the_newest_runs_count() {
    RunTimes runs = runs(1_000_000);
    for (int i = 0; i < RunTimes.WINDOW; i++) {
      runs = runs.ran(5);
    }
    assertEquals(RunTimes.WINDOW, runs.count());
    assertEquals(OptionalLong.of(5), runs.surely());
  }

  @Test
  void what_is_left_is_that_of_the_runs_that_took_longer() {
    RunTimes runs = runs(10, 10, 10, 100, 300);
    assertEquals(OptionalLong.of(10), runs.usual());
    assertEquals(OptionalLong.of(280), runs.leftAfter(20), "of 100 and 300 the longer");
    assertEquals(OptionalLong.of(200), runs.leftAfter(100));
    assertEquals(OptionalLong.of(500), runs.leftAfter(500), "as long again");
  }

  @Test
  void a_doubt_doubles_the_estimate_and_ten_right_ones_take_it_away() {
    RunTimes doubted = upTo(9).doubted().doubted();
    assertEquals(OptionalLong.of(3600), doubted.surely());
    for (int i = 0; i < RunTimes.RIGHT_TO_TRUST - 1; i++) {
      doubted = doubted.ran(500);
    }
    assertEquals(2, doubted.doubts());
    doubted = doubted.ran(1_000_000);
    for (int i = 0; i < RunTimes.RIGHT_TO_TRUST - 1; i++) {
      doubted = doubted.ran(500);
    }
    assertEquals(2, doubted.doubts(), "not in a row");
    assertEquals(1, doubted.ran(500).doubts());
  }

  @Test
  void doubts_are_bounded() {
    RunTimes doubted = upTo(9);
    for (int i = 0; i < 100; i++) {
      doubted = doubted.doubted();
    }
    assertEquals(OptionalLong.of(900 << RunTimes.MOST_DOUBTS), doubted.surely());
  }

  @Property
  void a_level_is_that_share_of_the_runs_and_one_more(
      @ForAll @Size(min = 1, max = 64) long[] any,
      @ForAll @LongRange(min = 1, max = 99) long percent) {
    long[] millis = LongStream.of(any).map(one -> one & 0xFFFFF).toArray();
    OptionalLong level = runs(millis).quantile(percent / 100.0);
    long rank = (percent * (millis.length + 1) + 99) / 100;
    assertEquals(
        rank > millis.length
            ? OptionalLong.empty()
            : OptionalLong.of(LongStream.of(millis).sorted().toArray()[(int) rank - 1]),
        level);
  }
}
