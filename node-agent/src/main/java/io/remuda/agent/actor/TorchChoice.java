package io.remuda.agent.actor;

import io.remuda.agent.protocol.TaskOrder;
import io.remuda.agent.settings.Distribution;
import io.remuda.worker.cuda.CudaLibraries;
import io.remuda.worker.job.ConvolutionWorkload;
import java.nio.file.Path;
import java.util.Map;

/**
 * Which libtorch a worker gets: none, that for the CPU, or that for CUDA, which only loads where
 * all of CUDA's libraries are found.
 *
 * @param classPath of the worker
 * @param variables that go with it: where the loader finds CUDA, or why there is none
 */
record TorchChoice(String classPath, Map<String, String> variables) {

  static TorchChoice choose(
      TaskOrder order, Distribution release, Map<String, String> environment) {
    if (order.workload() instanceof ConvolutionWorkload) {
      return new TorchChoice(release.workerClassPath(), Map.of());
    }
    if (!order.cuda() || !release.hasCuda()) {
      return new TorchChoice(release.torchClassPath(), Map.of());
    }
    CudaLibraries cuda = CudaLibraries.find(environment, Path.of("/"));
    return cuda.complete()
        ? new TorchChoice(
            release.cudaClassPath(),
            Map.of(
                "LD_LIBRARY_PATH", cuda.loaderPath(environment), CudaLibraries.FOUND, cuda.words()))
        : new TorchChoice(release.torchClassPath(), Map.of(CudaLibraries.NONE, cuda.words()));
  }
}
