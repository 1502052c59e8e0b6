package io.remuda.worker.workload.mnist;

import java.util.Map;

/**
 * The environment variables a process that trains wants, to be set by whoever starts it: libraries
 * read them once, before Java code runs. Uses no class of libtorch. Measured on two cores: without
 * the second variable two to three times slower; without the others a fifth of the time goes into
 * page faults, because freed tensors are given back to the system after every operation.
 */
public final class WorkerEnvironment {

  private WorkerEnvironment() {}

  /**
   * Names and values.
   *
   * @param threads how many threads one operation may use, at least 1
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
