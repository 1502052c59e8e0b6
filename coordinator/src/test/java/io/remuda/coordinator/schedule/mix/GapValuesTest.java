package io.remuda.coordinator.schedule.mix;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Test;

class GapValuesTest {

  private static final double EXACT = 1e-9;

  @Test
  void a_gap_that_every_task_fills_is_worth_what_the_task_takes() {
    double[] values = GapValues.of(Map.of(400, 1.0));
    assertEquals(0, values[399], EXACT);
    assertEquals(0.4, values[400], EXACT);
    assertEquals(0.8, values[1000], EXACT);
  }

  @Test
  void a_gap_for_rare_tasks_is_worth_the_chance_that_one_of_the_next_comes() {
    double[] values = GapValues.of(new java.util.TreeMap<>(Map.of(200, 0.01, 800, 0.99)));
    double chance = 1 - Math.pow(0.99, GapValues.PATIENCE);
    assertEquals(0.2 * chance, values[200], EXACT);
    assertTrue(values[1000] < 0.8 + 0.2, "the rest of a GPU with 800 is rarely filled");
    assertTrue(values[1000] > 0.8, "but sometimes");
  }

  @Test
  void the_better_of_two_tasks_is_expected_more_often_than_it_comes() {
    double[] values = GapValues.of(new java.util.TreeMap<>(Map.of(500, 0.5, 700, 0.5)));
    assertTrue(values[1000] > 0.99, "two of 500 fill it, and one of 20 tasks is such a one");
  }

  @Test
  void without_tasks_a_gap_is_worth_nothing() {
    assertEquals(0, GapValues.of(Map.of())[1000], EXACT);
  }
}
