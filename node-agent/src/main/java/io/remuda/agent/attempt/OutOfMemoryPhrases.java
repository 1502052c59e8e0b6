package io.remuda.agent.attempt;

import java.util.List;
import java.util.Locale;

/** Detects the messages by which frameworks report that GPU memory is exhausted. */
final class OutOfMemoryPhrases {

  /**
   * Messages of PyTorch ({@code torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate
   * ...}), the CUDA runtime and driver, TensorFlow ({@code ResourceExhaustedError: OOM when
   * allocating tensor}), XLA as used by JAX ({@code RESOURCE_EXHAUSTED: Out of memory while trying
   * to allocate ...}) and CuPy. In lower case.
   */
  private static final List<String> WORDS =
      List.of(
          "cuda out of memory",
          "hip out of memory",
          "outofmemoryerror: cuda",
          "cuda_error_out_of_memory",
          "cudaerrormemoryallocation",
          "cuda error: out of memory",
          "oom when allocating tensor",
          "resource_exhausted: out of memory",
          "resource_exhausted: failed to allocate",
          "cublas_status_alloc_failed",
          "cudnn_status_alloc_failed",
          "cupy.cuda.memory.outofmemoryerror");

  private OutOfMemoryPhrases() {}

  /** Returns whether the end of a process's stderr contains one of them. */
  static boolean of(String tail) {
    String lower = tail.toLowerCase(Locale.ROOT);
    return WORDS.stream().anyMatch(lower::contains);
  }
}
