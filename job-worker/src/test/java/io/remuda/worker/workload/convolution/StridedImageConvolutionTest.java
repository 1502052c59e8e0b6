package io.remuda.worker.workload.convolution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class StridedImageConvolutionTest {

  @Test
  void the_result_of_the_default_size_has_206_rows() {
    assertEquals(206, StridedImageConvolution.subsampledSide(1024));
    assertEquals(1027, StridedImageConvolution.fullSide(1024));
  }

  @Test
  void the_smallest_example_size_keeps_two_rows() {
    assertEquals(2, StridedImageConvolution.subsampledSide(4));
  }

  @Test
  void arrays_that_do_not_fit_the_size_are_refused_with_both_numbers() {
    double[] filter = new double[16];
    IllegalArgumentException image =
        assertThrows(
            IllegalArgumentException.class,
            () -> StridedImageConvolution.subsampled(new double[24], 5, filter));
    assertTrue(image.getMessage().contains("24") && image.getMessage().contains("25"));
    assertThrows(
        IllegalArgumentException.class,
        () -> StridedImageConvolution.subsampled(new double[25], 5, new double[9]));
    assertThrows(
        IllegalArgumentException.class,
        () -> StridedImageConvolution.full(new double[25], 5, filter, new double[63]));
  }

  @Test
  void a_side_of_zero_is_refused() {
    assertThrows(IllegalArgumentException.class, () -> StridedImageConvolution.fullSide(0));
  }
}
