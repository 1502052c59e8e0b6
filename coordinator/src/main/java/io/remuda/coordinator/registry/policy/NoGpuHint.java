package io.remuda.coordinator.registry.policy;

import io.remuda.worker.job.ResourceRequest;
import java.util.List;
import java.util.Locale;

/** What is added to the cause of a failure when a program looked for a GPU and its job has none. */
public final class NoGpuHint {

  /**
   * Messages of PyTorch, the CUDA runtime, JAX, Lightning and transformers, in lower case. They do
   * not tell a job without GPUs from a machine without.
   */
  private static final List<String> WORDS =
      List.of(
          "no cuda gpus are available",
          "no hip gpus are available",
          "no cuda-capable device is detected",
          "cudaerrornodevice",
          "cuda_error_no_device",
          "torch.cuda.is_available() is false",
          "no visible gpu devices",
          "no supported gpu backend found",
          "no gpu found",
          "but your machine only has: []");

  private NoGpuHint() {}

  /** Returns the hint, with a blank before it; empty if the job has GPUs or says something else. */
  public static String of(String cause, ResourceRequest had) {
    if (had.gpus() > 0 || cause == null) {
      return "";
    }
    String lower = cause.toLowerCase(Locale.ROOT);
    return WORDS.stream().anyMatch(lower::contains)
        ? " (the job has asked for no GPU: submit it with --gpus 1)"
        : "";
  }
}
