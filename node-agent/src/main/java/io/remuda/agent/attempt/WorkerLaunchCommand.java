package io.remuda.agent.attempt;

import io.remuda.agent.keeper.SpawnRequest;
import io.remuda.agent.protocol.DeviceVariables;
import io.remuda.agent.protocol.TaskStartOrder;
import io.remuda.agent.settings.AgentSettings;
import io.remuda.agent.settings.Distribution;
import io.remuda.agent.settings.JvmFlags;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.telemetry.model.DeviceInfo;
import io.remuda.worker.cuda.CudaLibraries;
import io.remuda.worker.job.ConvolutionWorkload;
import io.remuda.worker.job.Workload;
import io.remuda.worker.workload.mnist.LibraryTuningVariables;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Creates the request to start a built-in worker: its arguments and environment. */
public final class WorkerLaunchCommand {

  private static final String MAIN = "io.remuda.worker.main.WorkerMain";
  private static final long MEGABYTE = 1 << 20;
  private static final long BASE_HEAP = 64;
  private static final long MNIST_HEAP = 384;

  private WorkerLaunchCommand() {}

  /**
   * Creates a request.
   *
   * @param node devices of this node
   */
  public static SpawnRequest of(
      TaskStartOrder order,
      TaskFolder folder,
      AgentSettings settings,
      Distribution distribution,
      List<DeviceInfo> node,
      long contactMillis) {
    Map<String, String> own = settings.environment();
    WorkerLibtorchSelection torch = WorkerLibtorchSelection.choose(order, distribution, own);
    Map<String, String> environment = environment(order, settings, own, node);
    environment.putAll(torch.variables());
    return new SpawnRequest(
        settings.keyPrefix() + order.attempt(),
        argv(order.workload(), folder.path(), torch.classPath()),
        environment,
        folder.path(),
        folder.stdout(),
        folder.stderr(),
        folder.path(),
        order.devices().stream().map(DeviceId::uuid).toList(),
        order.tied() ? contactMillis : 0,
        settings.timing().grace().toMillis());
  }

  private static List<String> argv(Workload workload, Path folder, String classPath) {
    List<String> argv = new ArrayList<>();
    argv.add(Distribution.java().toString());
    argv.addAll(jvmFlags(workload));
    argv.add("-cp");
    argv.add(classPath);
    argv.add(MAIN);
    argv.add(folder.toString());
    return argv;
  }

  /**
   * Returns the JVM flags. A convolution needs heap for one image of doubles and a result of a 25th
   * of its size.
   */
  private static List<String> jvmFlags(Workload workload) {
    if (workload instanceof ConvolutionWorkload convolution) {
      long pixels = (long) convolution.size() * convolution.size();
      return JvmFlags.worker(BASE_HEAP + pixels * Double.BYTES * 5 / 4 / MEGABYTE);
    }
    return JvmFlags.nativeWorker(MNIST_HEAP);
  }

  /** Returns the agent's own environment with the task's variables. */
  static Map<String, String> environment(
      TaskStartOrder order,
      AgentSettings settings,
      Map<String, String> own,
      List<DeviceInfo> node) {
    String devices = order.devices().stream().map(DeviceId::uuid).collect(Collectors.joining(","));
    Map<String, String> all = new HashMap<>(own);
    all.keySet().removeAll(JvmFlags.agentEnvironment().keySet());
    all.put("REMUDA_TASK_KEY", settings.keyPrefix() + order.attempt());
    all.put("REMUDA_JOB", order.attempt().task().job().toString());
    all.put("REMUDA_TASK", order.attempt().task().toString());
    all.put("REMUDA_ATTEMPT", Integer.toString(order.attempt().attempt()));
    all.put("REMUDA_NODE", settings.node());
    all.put("REMUDA_DEVICES", devices);
    all.keySet().removeAll(DeviceVariables.NAMES);
    all.putAll(DeviceVariables.task(order.devices(), node));
    all.putAll(LibraryTuningVariables.variables(order.threads()));
    return all;
  }

  /**
   * The libtorch of a worker: none, the one for the CPU, or the one for CUDA, which loads only if
   * all CUDA libraries are found.
   *
   * @param classPath class path of the worker
   * @param variables environment variables that tell the worker where CUDA is or why it was not
   *     found
   */
  private record WorkerLibtorchSelection(String classPath, Map<String, String> variables) {

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
                  "LD_LIBRARY_PATH",
                  cuda.loaderPath(environment),
                  CudaLibraries.FOUND,
                  cuda.words()))
          : new WorkerLibtorchSelection(
              release.torchClassPath(), Map.of(CudaLibraries.NONE, cuda.words()));
    }
  }
}
