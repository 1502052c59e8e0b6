package io.remuda.worker.workload.seeded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class SplitMix64Test {

  @Test
  void the_numbers_are_those_of_the_reference_implementation() {
    SplitMix64 numbers = new SplitMix64(1234567);
    assertEquals(6457827717110365317L, numbers.next());
    assertEquals(3203168211198807973L, numbers.next());
    assertEquals(Long.parseUnsignedLong("9817491932198370423"), numbers.next());
    assertEquals(4593380528125082431L, numbers.next());
  }

  @Test
  void substreams_differ_by_seed_by_kind_and_by_index() {
    long first = SplitMix64.substream(1, 1, 0).next();
    assertEquals(first, SplitMix64.substream(1, 1, 0).next());
    assertNotEquals(first, SplitMix64.substream(2, 1, 0).next());
    assertNotEquals(first, SplitMix64.substream(1, 2, 0).next());
    assertNotEquals(first, SplitMix64.substream(1, 1, 1).next());
  }

  @Test
  void normal_values_have_mean_zero_and_variance_one() {
    SplitMix64 numbers = new SplitMix64(7);
    int count = 100_000;
    double sum = 0;
    double squares = 0;
    for (int i = 0; i < count; i++) {
      double value = numbers.normal();
      sum += value;
      squares += value * value;
    }
    assertEquals(0.0, sum / count, 0.02);
    assertEquals(1.0, squares / count, 0.02);
  }

  @Test
  void filling_an_odd_count_touches_only_those_places() {
    double[] target = {-1, -1, -1, -1};
    new SplitMix64(3).fill(target, 3);
    for (int i = 0; i < 3; i++) {
      assertTrue(target[i] >= 0 && target[i] < 1, "value " + target[i]);
    }
    assertEquals(-1, target[3]);
  }
}
