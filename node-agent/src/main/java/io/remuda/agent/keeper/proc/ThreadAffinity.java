package io.remuda.agent.keeper.proc;

import com.sun.jna.Memory;

/**
 * Lets the calling thread, and so the processes that it starts, use only some CPUs, until it is
 * closed on the same thread.
 */
public final class ThreadAffinity implements AutoCloseable {

  private static final int BYTES = (CpuSet.HIGHEST + 1) / Byte.SIZE;

  private final Memory before;

  private ThreadAffinity(Memory before) {
    this.before = before;
  }

  /**
   * Binds the calling thread.
   *
   * @param cpus none to change nothing
   * @throws IllegalStateException if the kernel does not let it use any of them
   */
  public static ThreadAffinity to(CpuSet cpus) {
    if (cpus.isEmpty()) {
      return new ThreadAffinity(null);
    }
    Memory before = new Memory(BYTES);
    before.clear();
    try (Memory mask = new Memory(BYTES)) {
      mask.clear();
      for (int cpu : cpus.numbers()) {
        int at = cpu / Byte.SIZE; // little-endian words of bits
        mask.setByte(at, (byte) (mask.getByte(at) | 1 << cpu % Byte.SIZE));
      }
      if (Posix.sched_getaffinity(0, BYTES, before) < 0
          || Posix.sched_setaffinity(0, BYTES, mask) < 0) {
        int error = Posix.errno();
        before.close();
        throw new IllegalStateException("CPUs " + cpus + " cannot be used: " + Errno.text(error));
      }
    }
    return new ThreadAffinity(before);
  }

  @Override
  public void close() {
    if (before != null) {
      if (Posix.sched_setaffinity(0, BYTES, before) < 0) {
        KeeperLog.line("keeper: the CPUs of a thread cannot be set back: " + Posix.errno());
      }
      before.close();
    }
  }
}
