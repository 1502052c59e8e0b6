package io.remuda.worker.workload.convolution;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class ConvolutionItemsTest {

  @Test
  void the_defaults_of_the_example_make_1024_items() {
    assertEquals(1024, ConvolutionItems.count(1L << 30, 1024));
  }

  @Test
  void the_count_is_rounded_down() {
    assertEquals(2, ConvolutionItems.count(299, 10));
    assertEquals(0, ConvolutionItems.count(99, 10));
  }

  @Test
  void a_footprint_beyond_all_counts_is_refused() {
    assertThrows(IllegalArgumentException.class, () -> ConvolutionItems.count(1L << 62, 4));
    assertThrows(IllegalArgumentException.class, () -> ConvolutionItems.count(-1, 4));
  }

  @Test
  void an_item_is_the_same_whoever_makes_it() {
    assertArrayEquals(ConvolutionItems.image(1, 7, 64), ConvolutionItems.image(1, 7, 64));
    assertArrayEquals(ConvolutionItems.filter(1, 7), ConvolutionItems.filter(1, 7));
  }

  @Test
  void items_of_other_indices_and_seeds_differ() {
    double[] filter = ConvolutionItems.filter(1, 7);
    assertFalse(Arrays.equals(filter, ConvolutionItems.filter(1, 8)));
    assertFalse(Arrays.equals(filter, ConvolutionItems.filter(2, 7)));
    double[] image = ConvolutionItems.image(1, 7, 16);
    assertFalse(Arrays.equals(image, ConvolutionItems.image(1, 8, 16)));
    assertFalse(Arrays.equals(image, ConvolutionItems.image(2, 7, 16)));
  }

  @Test
  void an_image_is_spread_evenly_over_zero_to_one() {
    double[] image = ConvolutionItems.image(1, 0, 256);
    assertEquals(0.5, Arrays.stream(image).average().orElseThrow(), 0.01);
    assertEquals(1.0 / 3, Arrays.stream(image).map(v -> v * v).average().orElseThrow(), 0.01);
  }
}
