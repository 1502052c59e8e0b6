package io.remuda.agent.attempt;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OutOfMemoryPhrasesTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 20.00 GiB (GPU 0;",
        "RuntimeError: CUDA error: out of memory",
        "RuntimeError: CUDA out of memory. Tried to allocate 2.00 MiB",
        "torch.OutOfMemoryError: HIP out of memory. Tried to allocate 1 GiB",
        "tensorflow.python.framework.errors_impl.ResourceExhaustedError: {{function_node x}} OOM"
            + " when allocating tensor with shape[20000,20000]",
        "jaxlib.xla_extension.XlaRuntimeError: RESOURCE_EXHAUSTED: Out of memory while trying to"
            + " allocate 8589934592 bytes.",
        "failed to allocate 2.00G: CUDA_ERROR_OUT_OF_MEMORY: out of memory",
        "cupy.cuda.memory.OutOfMemoryError: Out of memory allocating 8,000 bytes",
      })
  void a_gpu_without_memory_is_recognised(String line) {
    assertTrue(OutOfMemoryPhrases.of("Traceback (most recent call last):\n" + line + "\n"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "MemoryError: Unable to allocate 74.5 GiB for an array",
        "OSError: [Errno 12] Cannot allocate memory",
        "RuntimeError: CUDA error: device-side assert triggered",
        "Killed",
        "",
      })
  void other_failures_are_not(String line) {
    assertFalse(OutOfMemoryPhrases.of(line));
  }
}
