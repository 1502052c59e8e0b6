package io.remuda.coordinator.ensemble.report;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.drawing.CurveSeries;
import org.junit.jupiter.api.Test;

class SampleCurveTest {
  private static final double NONE = Double.NaN;

  @Test
  void a_second_without_a_reading_is_a_gap_and_several_in_one_are_a_range() {
    SampleCurve curve = new SampleCurve(100);
    curve.add(100, 1.0);
    curve.add(100, 3.0);
    curve.add(101, null);
    curve.add(102, 5.0);
    CurveSeries series = curve.series("x", 1);
    assertArrayEquals(new double[] {2, NONE, 5}, series.mean());
    assertArrayEquals(new double[] {1, NONE, 5}, series.min());
    assertArrayEquals(new double[] {3, NONE, 5}, series.max());
  }

  @Test
  void a_run_of_a_week_needs_no_more_points_and_keeps_its_extremes() {
    SampleCurve curve = new SampleCurve(0);
    for (int second = 0; second < 7 * 86_400; second++) {
      curve.add(second, second == 300_000 ? 50.0 : 1.0);
    }
    CurveSeries series = curve.series("x", 1);
    assertTrue(series.mean().length <= SampleCurve.MOST, () -> series.mean().length + " points");
    double most = 0;
    for (double value : series.max()) {
      most = Math.max(most, value);
    }
    assertEquals(50, most);
    assertEquals(7 * 86_400 + 49, curve.integral(1), 1e-3, "joules of a watt");
  }

  @Test
  void readings_every_five_seconds_have_no_gaps_between_them() {
    SampleCurve curve = new SampleCurve(0);
    for (int second = 0; second < 100; second += 5) {
      curve.add(second, 2.0);
    }
    for (double value : curve.series("x", 5).mean()) {
      assertEquals(2, value);
    }
  }

  @Test
  void a_clock_that_was_set_back_loses_nothing() {
    SampleCurve curve = new SampleCurve(1000);
    curve.add(10, 4.0);
    assertArrayEquals(new double[] {4}, curve.series("x", 1).mean());
  }
}
