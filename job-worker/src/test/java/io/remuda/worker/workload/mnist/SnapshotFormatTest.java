package io.remuda.worker.workload.mnist;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

class SnapshotFormatTest {

  /** A small snapshot after some epochs. */
  static TrainingSnapshot after(int epochs) {
    List<EpochReport> reports =
        IntStream.rangeClosed(1, epochs)
            .mapToObj(epoch -> new EpochReport(epoch, 20, 1.5 / epoch, 0.25, 97.5, 0.125))
            .toList();
    return new TrainingSnapshot(
        Map.of("seed", "1", "batchSize", "64"),
        Map.of("threads", "2"),
        0.1 + 0.2,
        reports,
        Map.of("parameter-0", new byte[] {1, 2, 3}, "größe", new byte[0]));
  }

  @Test
  void what_was_written_is_read() throws Exception {
    TrainingSnapshot written = after(2);
    TrainingSnapshot read = SnapshotFormat.decode(SnapshotFormat.encode(written));
    assertEquals(written.settings(), read.settings());
    assertEquals(written.circumstances(), read.circumstances());
    assertEquals(written.rate(), read.rate());
    assertEquals(written.reports(), read.reports());
    assertEquals(written.states().keySet(), read.states().keySet());
    assertArrayEquals(written.states().get("parameter-0"), read.states().get("parameter-0"));
  }

  @Test
  void a_snapshot_that_ends_anywhere_too_early_is_damaged() {
    byte[] whole = SnapshotFormat.encode(after(2));
    for (int length = 0; length < whole.length; length++) {
      byte[] part = Arrays.copyOf(whole, length);
      assertThrows(
          SnapshotDamagedException.class, () -> SnapshotFormat.decode(part), "length " + length);
    }
  }

  @Test
  void a_snapshot_with_any_one_bit_changed_is_damaged() {
    byte[] whole = SnapshotFormat.encode(after(2));
    for (int bit = 0; bit < whole.length * 8; bit++) {
      byte[] changed = whole.clone();
      changed[bit / 8] ^= (byte) (1 << bit % 8);
      assertThrows(
          SnapshotDamagedException.class, () -> SnapshotFormat.decode(changed), "bit " + bit);
    }
  }

  @Test
  void bytes_after_the_end_are_damage() {
    byte[] whole = SnapshotFormat.encode(after(2));
    byte[] longer = Arrays.copyOf(whole, whole.length + 1);
    assertThrows(SnapshotDamagedException.class, () -> SnapshotFormat.decode(longer));
  }

  @Test
  void a_whole_snapshot_of_another_version_is_refused_with_both_versions() {
    byte[] newer = SnapshotFormat.encode(after(2));
    ByteBuffer bytes = ByteBuffer.wrap(newer).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putInt(8, 2);
    seal(bytes);
    SnapshotRefusedException refusal =
        assertThrows(SnapshotRefusedException.class, () -> SnapshotFormat.decode(newer));
    assertEquals("is of version 2, this build reads 1", refusal.getMessage());
  }

  @Test
  void a_count_that_does_not_fit_is_damage_even_with_a_right_checksum() {
    for (int count : new int[] {-1, 1000, Integer.MAX_VALUE}) {
      byte[] wrong = SnapshotFormat.encode(after(2));
      ByteBuffer bytes = ByteBuffer.wrap(wrong).order(ByteOrder.LITTLE_ENDIAN);
      bytes.putInt(20, count);
      seal(bytes);
      assertThrows(
          SnapshotDamagedException.class, () -> SnapshotFormat.decode(wrong), "count " + count);
    }
  }

  private static void seal(ByteBuffer bytes) {
    int end = bytes.capacity() - Integer.BYTES;
    CRC32C sum = new CRC32C();
    sum.update(bytes.array(), 0, end);
    bytes.putInt(end, (int) sum.getValue());
  }
}
