package io.remuda.telemetry.host;

import java.nio.file.Path;

/**
 * The memory of the machine as the kernel reports it.
 *
 * @param text the lines of meminfo, in kibibytes
 */
record MemoryInfo(String text) {
  static MemoryInfo read(Path proc) {
    return new MemoryInfo(KernelFile.text(proc.resolve("meminfo")));
  }

  /** Returns a line's value in bytes; {@code otherwise} when the line is missing. */
  long bytes(String key, long otherwise) {
    Long value = bytes(key);
    return value == null ? otherwise : value;
  }

  /** Returns a line's value in bytes; null when the line is missing. */
  Long bytes(String key) {
    Long kibibytes = KernelFile.number(KernelFile.field(text, key).replace(" kB", ""));
    return kibibytes == null ? null : kibibytes * 1024;
  }

  /** Returns the swap in use in bytes; null when not available. */
  Long swapUsed() {
    Long total = bytes("SwapTotal");
    Long free = bytes("SwapFree");
    return total == null || free == null ? null : total - free;
  }
}
