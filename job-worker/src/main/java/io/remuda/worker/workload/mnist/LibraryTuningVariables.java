package io.remuda.worker.workload.mnist;

import java.util.Map;

/**
 * The environment variables of a process that trains. The parent process must set them, because
 * libraries read them once, before Java code runs. Uses no libtorch class. Measured on two cores:
 * without OPENBLAS_NUM_THREADS training is two to three times slower; without the THP and MALLOC
 * variables a fifth of the time is spent on page faults, because freed tensors are returned to the
 * system after every operation.
 */
public final class LibraryTuningVariables {

  private LibraryTuningVariables() {}

  /**
   * Returns the variables.
   *
   * @param threads maximum number of threads of one operation, at least 1
   */
  public static Map<String, String> variables(int threads) {
    if (threads < 1) {
      throw new IllegalArgumentException("threads is " + threads + "; it must be at least 1");
    }
    return Map.of(
        "OMP_NUM_THREADS", Integer.toString(threads),
        "OPENBLAS_NUM_THREADS", "1",
        "THP_MEM_ALLOC_ENABLE", "1",
        "MALLOC_MMAP_THRESHOLD_", "33554432",
        "MALLOC_TRIM_THRESHOLD_", "2000000000",
        "MALLOC_TOP_PAD_", "67108864");
  }
}
