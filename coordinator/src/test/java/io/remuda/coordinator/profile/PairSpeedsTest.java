package io.remuda.coordinator.profile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.profile.PairSpeeds.Beside;
import io.remuda.coordinator.profile.PairSpeeds.Run;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class PairSpeedsTest {
  private static final JobType OTHER = new JobType("bob", "eval");
  private static final long SECOND = 1000;

  /** A type whose runs take ten seconds alone. */
  private final PairSpeeds known = PairSpeeds.NONE.ran(Run.alone("H200", 10 * SECOND));

  private static Run together(long seconds) {
    return new Run("H200", seconds * SECOND, 0, OTHER, 1, 1);
  }

  private static Run partly(long seconds, double alone, double beside) {
    return new Run("H200", seconds * SECOND, alone, OTHER, beside, 1);
  }

  private static List<Integer> percents(PairSpeeds pairSpeeds) {
    return pairSpeeds.beside().stream().map(Beside::percent).toList();
  }

  @Test
  void a_run_that_took_twice_as_long_beside_another_had_half_of_its_speed() {
    assertEquals(OptionalInt.of(50), known.ran(together(20)).speedBeside(OTHER));
    assertEquals(OptionalInt.empty(), known.ran(together(20)).speedBeside(new JobType("ann", "x")));
  }

  @Test
  void what_it_did_alone_is_not_counted_for_its_company() {
    // 4 s alone are 4 of 10; the other 6 took 12
    assertEquals(List.of(50), percents(known.ran(partly(16, 0.25, 0.75))));
  }

  @Test
  void with_company_for_less_than_half_of_its_time_it_shows_nothing() {
    assertEquals(List.of(), percents(known.ran(partly(12, 0.6, 0.4))));
    assertEquals(List.of(), percents(known.ran(partly(16, 0.1, 0.4))), "others were there, too");
    assertEquals(1, known.ran(partly(12, 0.6, 0.4)).alone().get("H200").size());
  }

  @Test
  void nothing_is_faster_with_company_than_alone() {
    assertEquals(List.of(100), percents(known.ran(together(9))));
  }

  @Test
  void the_newest_speed_counts() {
    assertEquals(List.of(80), percents(known.ran(together(20)).ran(partly(13, 0, 0.96))));
  }

  @Test
  void nearly_alone_is_alone() {
    assertEquals(
        Map.of("H200", List.of(10 * SECOND, 11 * SECOND)),
        known.ran(partly(11, 0.92, 0.08)).alone());
  }

  @Test
  void without_a_run_alone_on_such_devices_nothing_is_known() {
    assertEquals(PairSpeeds.NONE, PairSpeeds.NONE.ran(together(20)));
    Run elsewhere = new Run("A100", 20 * SECOND, 0, OTHER, 1, 1);
    assertEquals(List.of(), percents(known.ran(elsewhere)));
    PairSpeeds both = known.ran(Run.alone("A100", 20 * SECOND));
    assertTrue(both.isSteady(), "slower there, and that is no difference between runs");
    assertEquals(List.of(100), percents(both.ran(elsewhere)));
  }

  @Test
  void short_runs_show_nothing() {
    PairSpeeds brief = PairSpeeds.NONE.ran(Run.alone("H200", PairSpeeds.SHORTEST_MILLIS - 1));
    assertEquals(PairSpeeds.NONE, brief);
  }

  @Test
  void types_whose_runs_differ_show_nothing() {
    PairSpeeds uneven = known.ran(Run.alone("H200", 13 * SECOND));
    assertFalse(uneven.isSteady());
    assertEquals(List.of(), percents(uneven.ran(together(20))));
    PairSpeeds shorter = known.ran(together(7));
    assertFalse(shorter.isSteady(), "with company it cannot be faster than the same alone");
  }

  @Test
  void a_longer_run_with_company_is_no_slow_one_if_it_alone_took_as_long() {
    assertEquals(List.of(), percents(known.ran(partly(40, 0.3, 0.7))));
  }

  @Test
  void the_newest_runs_alone_count() {
    PairSpeeds pairSpeeds = known;
    for (int run = 0; run < PairSpeeds.WINDOW; run++) {
      pairSpeeds = pairSpeeds.ran(Run.alone("H200", 30 * SECOND));
    }
    assertTrue(pairSpeeds.isSteady());
    assertEquals(List.of(75), percents(pairSpeeds.ran(together(40))));
  }

  @Test
  void a_run_may_have_to_be_confirmed_by_more_of_them_alone() {
    Run doubtful = together(20).believedAfter(2);
    assertEquals(List.of(), percents(known.ran(doubtful)));
    assertEquals(List.of(50), percents(known.ran(Run.alone("H200", 10 * SECOND)).ran(doubtful)));
  }

  @Test
  void only_so_many_others_are_remembered() {
    PairSpeeds pairSpeeds = known;
    for (int other = 0; other <= PairSpeeds.MOST_BESIDE; other++) {
      JobType type = new JobType("ann", "t" + other);
      pairSpeeds = pairSpeeds.ran(new Run("H200", 20 * SECOND, 0, type, 1, 1));
    }
    assertEquals(PairSpeeds.MOST_BESIDE, pairSpeeds.beside().size());
    assertEquals(OptionalInt.empty(), pairSpeeds.speedBeside(new JobType("ann", "t0")));
    assertEquals(OptionalInt.of(50), pairSpeeds.speedBeside(new JobType("ann", "t1")));
  }
}
