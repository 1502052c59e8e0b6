package io.remuda.agent.training;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.remuda.agent.protocol.TaskStartOrder;
import io.remuda.agent.settings.Distribution;
import io.remuda.worker.job.CommandWorkload;
import io.remuda.worker.job.TrainingTerms;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The environment that a training gets: the names of the Kubernetes deep-learning scheduler, and
 * ours. docs/training.md documents them.
 */
final class TrainingVariables {

  private static final long MEBIBYTE = 1 << 20;

  /** The library measures the first steps of an epoch and every further group of so many. */
  private static final int HEARTBEAT = 10;

  /** What a training without a batch size is told, as our Python library assumes by itself. */
  private static final int USUAL_BATCH = 32;

  /** What a training without a size of its training set is told, for the same reason. */
  private static final int USUAL_SET = 1024;

  private static final String LOOPBACK = "127.0.0.1";

  private TrainingVariables() {}

  /**
   * @param address of the server that the training speaks to, as {@code host:port}
   * @param home the agent's folder, with the stand-in for a missing {@code nvidia-smi}
   * @param distribution has the Python package that trainings import
   */
  static Map<String, String> of(
      TaskStartOrder order, String address, Path home, Distribution distribution) {
    Map<String, String> environment = ((CommandWorkload) order.workload()).environment();
    TrainingTerms terms = order.training().terms();
    int gpus = order.devices().size();
    int done = order.training().epochsDone();
    int port = freePort();
    Map<String, String> all = new HashMap<>();
    all.put("REMUDA_TRAINING_HOST", address);
    all.put("JOB_UUID", order.job().uuid().toString());
    all.put("JOB_RESTARTED", done > 0 ? "TRUE" : "FALSE");
    all.put("EPOCHS_TO_BE_DONE", Integer.toString(terms.epochs()));
    all.put("EPOCHS_DONE", Integer.toString(done));
    all.put(
        "BATCH_SIZE",
        Integer.toString(terms.batchSize() == null ? USUAL_BATCH : terms.batchSize()));
    all.put(
        "TRAINING_SET_SIZE",
        Integer.toString(terms.trainingSetSize() == null ? USUAL_SET : terms.trainingSetSize()));
    all.put("HEARTBEAT_FREQ", Integer.toString(HEARTBEAT));
    all.put("NUM_GPUS", Integer.toString(Math.max(1, gpus)));
    all.put("NUM_NODES", "1");
    all.put("WORLD_SIZE", "1"); // the number of nodes, as the library's scripts expect
    all.put("NODE_RANK", "0");
    all.put("NODELIST", LOOPBACK);
    if (gpus <= 1) {
      all.put("LOCAL_RANK", "0"); // with several, the framework sets it for each process
    }
    all.put("MASTER_ADDR", LOOPBACK);
    all.put("MASTER_PORT", Integer.toString(port)); // with GPUs the task's own port replaces it
    all.put("TF_CONFIG", cluster(port));
    all.put("PL_TORCH_DISTRIBUTED_BACKEND", gpus == 0 ? "gloo" : "nccl");
    long promised = order.job().request().gpuShare().promisedBytes();
    all.put("RESERVED_MEM", Long.toString(promised / MEBIBYTE));
    put(all, "REMUDA_SNAPSHOTS", terms.snapshots());
    put(all, "REMUDA_CUSTOM", terms.custom());
    put(all, "REMUDA_DATA", terms.data());
    String path = environment.getOrDefault("PATH", "/usr/local/bin:/usr/bin:/bin");
    all.put(
        "PATH", path + ":" + NvidiaSmiStandIn.folder(home)); // last: only if there is no nvidia-smi
    distribution
        .pythonPackage()
        .ifPresent(
            wheel -> {
              String users = environment.get("PYTHONPATH");
              all.put("PYTHONPATH", users == null ? wheel.toString() : users + ":" + wheel);
            });
    return all;
  }

  private static void put(Map<String, String> all, String name, String value) {
    if (value != null) {
      all.put(name, value);
    }
  }

  /** Returns TensorFlow's description of a cluster of this one worker. */
  private static String cluster(int port) {
    Map<String, Object> worker = Map.of("worker", List.of(LOOPBACK + ":" + port));
    Map<String, Object> config =
        Map.of("cluster", worker, "task", Map.of("type", "worker", "index", 0));
    try {
      return TrainingReport.JSON.writeValueAsString(config);
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** Returns a port that is free now, at which the processes of a training can meet. */
  private static int freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException none) {
      return 0;
    }
  }
}
