package io.remuda.telemetry.nvml;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.jna.Memory;
import io.remuda.telemetry.model.DeviceProcess;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProcessEntriesTest {
  private static final long TOTAL = 1L << 34;

  private final Memory memory = new Memory(4 * ProcessEntries.WIDE_BYTES);

  private void write(int stride, int entry, int pid, long used) {
    memory.setInt((long) entry * stride, pid);
    memory.setLong((long) entry * stride + 8, used);
    memory.setLong((long) entry * stride + 16, -1);
  }

  private List<DeviceProcess> read(int count) {
    return ProcessEntries.read(memory, count, TOTAL, pid -> pid < 1000);
  }

  @Test
  void narrow_entries_are_read_as_they_are() {
    memory.clear();
    write(24, 0, 7, 100);
    write(24, 1, 8, 200);
    assertEquals(List.of(new DeviceProcess(7, 100L), new DeviceProcess(8, 200L)), read(2));
  }

  @Test
  void wide_entries_are_recognised_by_impossible_pids() {
    memory.clear();
    write(32, 0, 7, 100);
    write(32, 1, 8, -1);
    write(32, 2, 9, 300);
    assertEquals(
        List.of(new DeviceProcess(7, 100L), new DeviceProcess(8, null), new DeviceProcess(9, 300L)),
        read(3));
  }

  @Test
  void unknown_pids_of_the_host_do_not_make_narrow_entries_wide() {
    memory.clear();
    write(24, 0, 70_000, 100);
    write(24, 1, 80_000, 200);
    assertEquals(
        List.of(new DeviceProcess(70_000, 100L), new DeviceProcess(80_000, 200L)), read(2));
  }
}
