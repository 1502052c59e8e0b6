package io.remuda.agent.attempt;

import io.remuda.agent.protocol.TaskStartOrder;
import io.remuda.agent.settings.Distribution;
import io.remuda.worker.cuda.CudaLibraries;
import io.remuda.worker.job.ConvolutionWorkload;
import java.nio.file.Path;
import java.util.Map;

/**
 * The libtorch of a worker: none, the one for the CPU, or the one for CUDA, which loads only if all
 * CUDA libraries are found.
 *
 * @param classPath class path of the worker
 * @param variables environment variables that tell the worker where CUDA is or why it was not found
 */
record WorkerLibtorchSelection(String classPath, Map<String, String> variables) {

  static WorkerLibtorchSelection choose(
      TaskStartOrder order, Distribution release, Map<String, String> environment) {
    if (order.workload() instanceof ConvolutionWorkload) {
      return new WorkerLibtorchSelection(release.workerClassPath(), Map.of());
    }
    if (!order.cuda() || !release.hasCuda()) {
      return new WorkerLibtorchSelection(release.torchClassPath(), Map.of());
    }
    CudaLibraries cuda = CudaLibraries.find(environment, Path.of("/"));
    return cuda.complete()
        ? new WorkerLibtorchSelection(
            release.cudaClassPath(),
            Map.of(
                "LD_LIBRARY_PATH", cuda.loaderPath(environment), CudaLibraries.FOUND, cuda.words()))
        : new WorkerLibtorchSelection(
            release.torchClassPath(), Map.of(CudaLibraries.NONE, cuda.words()));
  }
}
