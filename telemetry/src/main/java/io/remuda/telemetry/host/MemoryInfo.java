package io.remuda.telemetry.host;

import java.nio.file.Path;

/**
 * The memory of the machine as the kernel reports it, in bytes; null is not told.
 *
 * @param available bytes that new processes can have without swapping; on old kernels unused ones
 */
record MemoryInfo(Long total, Long available, Long swapTotal, Long swapFree) {
  private static final long KIBIBYTE = 1024;

  static MemoryInfo read(Path proc) {
    return read(new HeldKernelFile(proc.resolve("meminfo")));
  }

  static MemoryInfo read(HeldKernelFile file) {
    Long total = null;
    Long free = null;
    Long available = null;
    Long swapTotal = null;
    Long swapFree = null;
    KernelWords words = file.words();
    while (swapFree == null && words.nextLine()) { // it is the last of them
      if (words.word("MemTotal")) {
        total = bytes(words);
      } else if (words.word("MemFree")) {
        free = bytes(words);
      } else if (words.word("MemAvailable")) {
        available = bytes(words);
      } else if (words.word("SwapTotal")) {
        swapTotal = bytes(words);
      } else if (words.word("SwapFree")) {
        swapFree = bytes(words);
      }
    }
    return new MemoryInfo(total, available == null ? free : available, swapTotal, swapFree);
  }

  private static Long bytes(KernelWords words) {
    long kibibytes = words.number();
    return kibibytes < 0 ? null : Long.valueOf(kibibytes * KIBIBYTE);
  }

  /** Returns the swap in use in bytes; null when not available. */
  Long swapUsed() {
    return swapTotal == null || swapFree == null ? null : swapTotal - swapFree;
  }

  /** Returns the value, or 0 if there is none. */
  static long orNothing(Long bytes) {
    return bytes == null ? 0 : bytes;
  }
}
