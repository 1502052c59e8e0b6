package io.remuda.coordinator.ensemble;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EnsembleSettingsTest {
  private static List<Double> rates(int workers) {
    EnsembleSettings settings = TestSettings.run(workers, 1, 1);
    return IntStream.range(0, workers).mapToObj(settings::learningRate).toList();
  }

  @Test
  void learning_rates_span_one_half_to_three_halves() {
    assertEquals(List.of(0.5, 1.5), rates(2));
    assertEquals(List.of(0.5, 1.0, 1.5), rates(3));
  }

  @Test
  void learning_rates_are_those_of_the_formula_to_the_last_bit() {
    // [i/(4-1) + 0.5 for i in range(4)] in Python
    assertEquals(List.of(0.5, 0.8333333333333333, 1.1666666666666665, 1.5), rates(4));
    // [i/(7-1) + 0.5 for i in range(7)]
    assertEquals(
        List.of(
            0.5,
            0.6666666666666666,
            0.8333333333333333,
            1.0,
            1.1666666666666665,
            1.3333333333333335,
            1.5),
        rates(7));
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 5, 10, 64})
  void the_ends_of_the_span_are_exact(int workers) {
    List<Double> rates = rates(workers);
    assertEquals(0.5, rates.get(0));
    assertEquals(1.5, rates.get(workers - 1));
  }

  @ParameterizedTest
  @CsvSource({
    "1024, 1073741824, 1024",
    "1024, 1048575, 0",
    "4, 64, 4",
    "4, 79, 4",
    "3, 10, 1",
    "46340, 9000000000000000000, 2147483647"
  })
  void the_number_of_images_counts_elements_and_not_bytes(int size, long mem, int images) {
    EnsembleSettings settings =
        new EnsembleSettings(
            2, 1, true, size, mem, 1, 1, 1, 1, 1, 1, 0, 0, null, true, Duration.ofSeconds(1));
    assertEquals(images, settings.images());
  }

  @Test
  void nodes_that_join_from_elsewhere_count_too() {
    EnsembleSettings settings =
        new EnsembleSettings(
            2, 1, true, 4, 64, 1, 1, 1, 1, 1, 2, 3, 0, null, true, Duration.ofSeconds(1));
    assertEquals(5, settings.allNodes());
  }
}
