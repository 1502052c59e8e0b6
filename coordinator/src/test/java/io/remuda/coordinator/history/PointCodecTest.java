package io.remuda.coordinator.history;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PointCodecTest {

  private static final int ABSENT = HistoryMetric.ABSENT;

  private static int bytes(int... values) {
    PointCodec codec = new PointCodec();
    codec.write(values, 0, values.length);
    int size = codec.size();
    int[] read = new int[values.length];
    codec.wrap(codec.bytes(), 0);
    codec.read(read, 0, read.length);
    assertArrayEquals(values, read);
    assertEquals(size, codec.at());
    return size;
  }

  @Test
  void what_is_written_is_read() {
    bytes(0, 0, 1, 1, ABSENT, ABSENT, 1, 5, ABSENT, 5, -7, 1 << 29, -(1 << 29));
    Random random = new Random(38);
    for (int round = 0; round < 2000; round++) {
      int[] values = new int[1 + random.nextInt(70)];
      for (int index = 0; index < values.length; index++) {
        int same = index == 0 ? 0 : values[index - 1];
        values[index] =
            switch (random.nextInt(4)) {
              case 0 -> ABSENT;
              case 1 -> same;
              case 2 -> random.nextInt(200) - 100;
              default -> random.nextInt(1 << 30) - (1 << 29);
            };
      }
      bytes(values);
    }
  }

  @Test
  void a_steady_row_takes_a_byte_for_each_32_points_and_noise_below_32_a_byte_for_each() {
    int[] steady = new int[64];
    Arrays.fill(steady, 81_920);
    assertEquals(3 + 2, bytes(steady), "the value, and 63 times the same");
    int[] noisy = new int[64];
    for (int index = 0; index < noisy.length; index++) {
      noisy[index] = index % 2 == 0 ? 20 : -11;
    }
    assertEquals(64, bytes(noisy));
    int[] nothing = new int[64];
    Arrays.fill(nothing, ABSENT);
    assertEquals(2, bytes(nothing));
  }
}
