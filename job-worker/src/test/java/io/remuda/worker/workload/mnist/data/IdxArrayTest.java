package io.remuda.worker.workload.mnist.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class IdxArrayTest {

  @Test
  void what_was_written_is_read() {
    IdxArray array = IdxArray.parse(bytes(IdxArray.header(2, 1, 3), 1, 2, 3, 4, 5, 6), 3);
    assertArrayEquals(new int[] {2, 1, 3}, array.dimensions());
    assertArrayEquals(new byte[] {1, 2, 3, 4, 5, 6}, array.values());
    assertEquals(2, array.count());
  }

  @Test
  void a_file_of_labels_is_not_taken_for_images() {
    assertRefused(bytes(IdxArray.header(16), new int[16]), 3, "00000801");
  }

  @Test
  void a_truncated_file_is_refused() {
    assertRefused(new byte[3], 1, "fewer than the IDX header's 8");
    assertRefused(bytes(IdxArray.header(3), 1, 2), 1, "[3]");
  }

  @Test
  void sizes_whose_product_overflows_are_refused() {
    assertRefused(bytes(IdxArray.header(1 << 30, 1 << 30, 1 << 30)), 3, "does not fit");
    assertRefused(bytes(IdxArray.header(-1)), 1, "4294967295");
    assertRefused(bytes(IdxArray.header(0)), 1, "has 0");
  }

  private static void assertRefused(byte[] bytes, int dimensions, String saying) {
    IllegalArgumentException refusal =
        assertThrows(IllegalArgumentException.class, () -> IdxArray.parse(bytes, dimensions));
    assertTrue(refusal.getMessage().contains(saying), refusal.getMessage());
  }

  private static byte[] bytes(byte[] header, int... values) {
    ByteBuffer all = ByteBuffer.allocate(header.length + values.length).put(header);
    for (int value : values) {
      all.put((byte) value);
    }
    return all.array();
  }
}
