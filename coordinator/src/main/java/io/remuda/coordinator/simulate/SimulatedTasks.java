package io.remuda.coordinator.simulate;

import io.remuda.worker.job.ResourceRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/** Tasks of a table, in the order of their arrival. */
final class SimulatedTasks {

  /**
   * A task.
   *
   * @param gpuThousandths what it needs of GPUs in all
   */
  record Task(String name, ResourceRequest needs, long gpuThousandths) {}

  private static final List<String> COLUMNS =
      List.of("name", "cpu_milli", "memory_mib", "num_gpu", "gpu_milli", "gpu_spec");
  private static final int MOST_GPUS = 64;
  private static final int WHOLE = 1000;
  private static final double THOUSANDTHS = 1000;
  private static final long MOST_MIB = Long.MAX_VALUE >> 20;

  private SimulatedTasks() {}

  /**
   * Returns the tasks of a table {@code name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec}. A
   * task of one GPU with less than 1000 thousandths shares it; {@code gpu_spec} has the models that
   * will do, between {@code |}.
   */
  static List<Task> read(Path file, UnaryOperator<Path> finder)
      throws IOException, BadTableException {
    List<Task> tasks = new ArrayList<>();
    Set<String> names = new HashSet<>();
    Map<ResourceRequest, ResourceRequest> alike = new HashMap<>();
    for (CsvTable.Row row : CsvTable.read(file, finder, COLUMNS).rows()) {
      String name = row.unique("name", names);
      int gpus = (int) row.whole("num_gpu", 0, MOST_GPUS);
      long each = gpus == 0 ? 0 : row.whole("gpu_milli", 1, WHOLE);
      if (gpus > 1 && each < WHOLE) {
        throw row.wrong("gpu_milli", "1000 for a task of several GPUs");
      }
      ResourceRequest needs = needs(row, gpus, each);
      ResourceRequest same = alike.putIfAbsent(needs, needs);
      tasks.add(new Task(name, same == null ? needs : same, gpus * each));
    }
    return tasks;
  }

  private static ResourceRequest needs(CsvTable.Row row, int gpus, long each)
      throws BadTableException {
    String models = gpus == 0 ? "" : row.text("gpu_spec");
    return new ResourceRequest(
        row.whole("cpu_milli", 0, Long.MAX_VALUE) / THOUSANDTHS,
        gpus,
        SimulatedNodes.mebibytes(row.whole("memory_mib", 0, MOST_MIB)),
        each == WHOLE ? 0 : each * SimulatedNodes.GPU_BYTES / WHOLE,
        null,
        models.isEmpty() ? Map.of() : Map.of(SimulatedNodes.MODEL_LABEL, models));
  }
}
