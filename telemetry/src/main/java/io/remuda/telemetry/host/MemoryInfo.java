package io.remuda.telemetry.host;

import java.nio.file.Path;

/**
 * The memory of the machine as the kernel counts it.
 *
 * @param text the lines of meminfo, in kibibytes
 */
record MemoryInfo(String text) {
  static MemoryInfo read(Path proc) {
    return new MemoryInfo(KernelFile.text(proc.resolve("meminfo")));
  }

  /** A line's value in bytes, or the given one when there is no such line. */
  long bytes(String key, long otherwise) {
    Long value = bytes(key);
    return value == null ? otherwise : value;
  }

  /** A line's value in bytes; null when there is no such line. */
  Long bytes(String key) {
    Long kibibytes = KernelFile.number(KernelFile.field(text, key).replace(" kB", ""));
    return kibibytes == null ? null : kibibytes * 1024;
  }

  /** Swap in use in bytes; null when not available. */
  Long swapUsed() {
    Long total = bytes("SwapTotal");
    Long free = bytes("SwapFree");
    return total == null || free == null ? null : total - free;
  }
}
