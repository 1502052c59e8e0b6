package io.remuda.telemetry.window;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class UtilizationHistogramPropertyTest {
  private static UtilizationHistogram of(List<Integer> values) {
    UtilizationHistogram histogram = new UtilizationHistogram();
    values.forEach(histogram::add);
    return histogram;
  }

  @Property
  void merging_parts_gives_the_histogram_of_the_whole(
      @ForAll List<@IntRange(max = 100) Integer> one,
      @ForAll List<@IntRange(max = 100) Integer> two) {
    List<Integer> whole = new ArrayList<>(one);
    whole.addAll(two);
    assertEquals(of(whole), of(one).merge(of(two)));
    assertEquals(of(whole), of(two).merge(of(one)));
  }

  @Property
  void a_quantile_is_the_value_of_its_rank(
      @ForAll @Size(min = 1, max = 200) List<@IntRange(max = 100) Integer> values,
      @ForAll @IntRange(min = 1, max = 1000) int permille) {
    List<Integer> sorted = new ArrayList<>(values);
    Collections.sort(sorted);
    double share = permille / 1000.0;
    int rank = (int) Math.ceil(share * sorted.size());
    assertEquals(sorted.get(rank - 1), of(values).quantile(share));
  }
}
