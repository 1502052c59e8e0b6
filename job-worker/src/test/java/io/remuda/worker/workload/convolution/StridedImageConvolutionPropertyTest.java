package io.remuda.worker.workload.convolution;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.util.Arrays;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;

class StridedImageConvolutionPropertyTest {

  @Property(tries = 200)
  void the_kept_places_are_every_fifth_of_the_whole_to_the_last_bit(
      @ForAll @IntRange(min = 1, max = 48) int size, @ForAll long seed) {
    double[] image = ConvolutionItems.image(seed, 0, size);
    double[] filter = ConvolutionItems.filter(seed, 0);
    double[] whole = StridedImageConvolution.full(image, size, filter);
    assertArrayEquals(
        StridedImageConvolution.stride5(whole, StridedImageConvolution.fullSide(size)),
        StridedImageConvolution.subsampled(image, size, filter));
  }

  @Property(tries = 200)
  void the_whole_is_what_the_plain_sum_gives(
      @ForAll @IntRange(min = 1, max = 32) int size, @ForAll long seed) {
    double[] image = ConvolutionItems.image(seed, 3, size);
    double[] filter = ConvolutionItems.filter(seed, 3);
    assertArrayEquals(
        plainSum(image, size, filter), StridedImageConvolution.full(image, size, filter), 1e-12);
  }

  @Property(tries = 100)
  void convolution_is_linear_in_the_image(
      @ForAll @IntRange(min = 1, max = 32) int size,
      @ForAll long seed,
      @ForAll @DoubleRange(min = -4, max = 4) double a,
      @ForAll @DoubleRange(min = -4, max = 4) double b) {
    double[] filter = ConvolutionItems.filter(seed, 0);
    double[] first = ConvolutionItems.image(seed, 1, size);
    double[] second = ConvolutionItems.image(seed, 2, size);
    double[] together = StridedImageConvolution.subsampled(sum(a, first, b, second), size, filter);
    double[] apart =
        sum(
            a,
            StridedImageConvolution.subsampled(first, size, filter),
            b,
            StridedImageConvolution.subsampled(second, size, filter));
    assertArrayEquals(apart, together, 1e-10);
  }

  @Property(tries = 50)
  void a_buffer_used_before_gives_the_same_result(
      @ForAll @IntRange(min = 1, max = 32) int size, @ForAll long seed) {
    double[] image = ConvolutionItems.image(seed, 0, size);
    double[] filter = ConvolutionItems.filter(seed, 0);
    double[] kept = ConvolutionItems.image(seed, 9, size + 3);
    double[] whole = kept.clone();
    StridedImageConvolution.subsampled(image, size, filter, kept);
    StridedImageConvolution.full(image, size, filter, whole);
    double[] fresh = StridedImageConvolution.subsampled(image, size, filter);
    assertArrayEquals(fresh, Arrays.copyOf(kept, fresh.length));
    assertArrayEquals(StridedImageConvolution.full(image, size, filter), whole);
  }

  private static double[] sum(double a, double[] first, double b, double[] second) {
    double[] sum = new double[first.length];
    for (int i = 0; i < sum.length; i++) {
      sum[i] = a * first[i] + b * second[i];
    }
    return sum;
  }

  private static double[] plainSum(double[] image, int size, double[] filter) {
    int side = size + 3;
    double[] out = new double[side * side];
    for (int i = 0; i < size; i++) {
      for (int j = 0; j < size; j++) {
        for (int a = 0; a < 4; a++) {
          for (int b = 0; b < 4; b++) {
            out[(i + a) * side + j + b] += image[i * size + j] * filter[a * 4 + b];
          }
        }
      }
    }
    return out;
  }
}
