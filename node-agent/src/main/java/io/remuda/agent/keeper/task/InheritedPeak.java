package io.remuda.agent.keeper.task;

import io.remuda.agent.keeper.proc.Posix;
import io.remuda.agent.keeper.proc.ProcFiles;

/**
 * The peak memory of the keeper itself, with which the kernel's count of each child begins. Not
 * thread-safe.
 */
final class InheritedPeak {

  /** The keeper may have grown by less than this since its own peak was read last. */
  private static final long NEAR_BYTES = 64L << 20;

  private long bytes = read();

  /** Returns the bytes; they are read again if a child has used hardly more. */
  long beside(long used) {
    if (used > bytes && used < bytes + NEAR_BYTES) {
      bytes = Math.max(bytes, read());
    }
    return bytes;
  }

  private static long read() {
    return ProcFiles.memory(Posix.getpid()).peak();
  }
}
