package io.remuda.telemetry.nvml;

import com.sun.jna.Memory;
import io.remuda.telemetry.model.DeviceProcess;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongPredicate;

/**
 * Reads arrays of nvmlProcessInfo_t. Entries are 16 bytes (v1) or 24 bytes (v2 and v3), but drivers
 * 535.43 to 535.86 write 32 bytes for the v3 symbol. The entry size is therefore inferred from the
 * process ids and memory sizes that each size yields.
 */
final class ProcessEntries {
  static final int V1_BYTES = 16;
  static final int V2_BYTES = 24;
  static final int WIDE_BYTES = 32;

  /** The largest pid that Linux can be configured to assign. */
  private static final long MAX_PID = 1L << 22;

  private static final long NOT_AVAILABLE = -1;

  private ProcessEntries() {}

  /**
   * Reads entries of v2 or v3.
   *
   * @param memory holds at least {@code count} entries of 32 bytes
   * @param memTotal device memory in bytes, the upper bound of a process's memory
   * @param alive tests whether a pid exists on this machine. It decides only if both entry sizes
   *     yield plausible values or neither does, and selects 32 bytes only if all pids of that size
   *     exist and not all of the other: in a container pids may be those of the host
   */
  static List<DeviceProcess> read(Memory memory, int count, long memTotal, LongPredicate alive) {
    List<DeviceProcess> narrow = read(memory, count, V2_BYTES);
    if (count < 2) {
      return narrow;
    }
    List<DeviceProcess> wide = read(memory, count, WIDE_BYTES);
    boolean narrowFits = possible(narrow, memTotal);
    boolean wideFits = possible(wide, memTotal);
    if (narrowFits == wideFits) {
      return living(wide, alive) && !living(narrow, alive) ? wide : narrow;
    }
    return wideFits ? wide : narrow;
  }

  /** Reads {@code count} entries of a known size. */
  static List<DeviceProcess> read(Memory memory, int count, int entryBytes) {
    List<DeviceProcess> processes = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      long offset = (long) i * entryBytes;
      long pid = Integer.toUnsignedLong(memory.getInt(offset));
      long used = memory.getLong(offset + 8);
      processes.add(new DeviceProcess(pid, used == NOT_AVAILABLE ? null : used));
    }
    return processes;
  }

  private static boolean possible(List<DeviceProcess> processes, long memTotal) {
    return processes.stream()
        .allMatch(
            p ->
                p.pid() > 0
                    && p.pid() <= MAX_PID
                    && (p.memBytes() == null || (p.memBytes() >= 0 && p.memBytes() <= memTotal)));
  }

  private static boolean living(List<DeviceProcess> processes, LongPredicate alive) {
    return processes.stream().allMatch(p -> alive.test(p.pid()));
  }
}
