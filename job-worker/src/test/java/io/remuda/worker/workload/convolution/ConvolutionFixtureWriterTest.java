package io.remuda.worker.workload.convolution;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Against SciPy's own results, written by src/test/python/make_convolution_fixtures.py. */
class ConvolutionFixtureWriterTest {

  private static final double TOLERANCE = 1e-12;

  @ParameterizedTest
  @ValueSource(ints = {4, 5, 7, 16, 33, 64})
  void the_kept_places_are_those_of_scipy(int size) throws IOException {
    Map<String, double[]> scipy = fixture(size);
    double[] ours = StridedImageConvolution.subsampled(image(size), size, scipy.get("filter"));
    assertArrayEquals(scipy.get("subsampled"), ours, TOLERANCE);
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 5, 7, 16})
  void the_whole_result_is_that_of_scipy(int size) throws IOException {
    Map<String, double[]> scipy = fixture(size);
    double[] ours = StridedImageConvolution.full(image(size), size, scipy.get("filter"));
    assertArrayEquals(scipy.get("full"), ours, TOLERANCE);
  }

  private static double[] image(int size) {
    double[] image = new double[size * size];
    for (int i = 0; i < size; i++) {
      for (int j = 0; j < size; j++) {
        image[i * size + j] = ((31 * i + 17 * j + 7 * i * j) % 101 - 50) / 64.0;
      }
    }
    return image;
  }

  private static Map<String, double[]> fixture(int size) throws IOException {
    String name = "/convolution/size-" + size + ".txt";
    Map<String, double[]> lines = new HashMap<>();
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(
                ConvolutionFixtureWriterTest.class.getResourceAsStream(name),
                StandardCharsets.US_ASCII))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        if (!line.startsWith("#")) {
          String[] words = line.split(" ");
          lines.put(
              words[0], Arrays.stream(words).skip(1).mapToDouble(Double::parseDouble).toArray());
        }
      }
    }
    assertTrue(lines.containsKey("subsampled"), name + " has no line 'subsampled'");
    return lines;
  }
}
