package io.remuda.coordinator.registry.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.worker.job.ResourceRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NoGpuHintTest {
  private static final String TORCH = "exit code 1: RuntimeError: No CUDA GPUs are available";

  @ParameterizedTest
  @ValueSource(
      strings = {
        TORCH,
        "exit code 1: RuntimeError: No HIP GPUs are available",
        "exit code 1: RuntimeError: CUDA error: no CUDA-capable device is detected",
        "exit code 1: MisconfigurationException: No supported gpu backend found!",
        "exit code 1: cupy_backends.cuda.api.runtime.CUDARuntimeError: cudaErrorNoDevice: no CUDA"
      })
  void a_program_that_finds_no_gpu_in_a_job_without_one_is_told_the_option(String cause) {
    String hint = NoGpuHint.of(cause, new ResourceRequest(1, 0));
    assertTrue(hint.contains("--gpus 1"), hint);
  }

  @Test
  void a_job_that_has_a_gpu_and_other_failures_get_no_such_hint() {
    assertEquals("", NoGpuHint.of(TORCH, new ResourceRequest(1, 1)));
    assertEquals("", NoGpuHint.of("exit code 1: No space left", new ResourceRequest(1, 0)));
    assertEquals("", NoGpuHint.of(null, new ResourceRequest(1, 0)));
  }
}
