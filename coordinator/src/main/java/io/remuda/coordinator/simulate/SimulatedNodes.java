package io.remuda.coordinator.simulate;

import io.remuda.coordinator.schedule.model.DeviceOffer;
import io.remuda.coordinator.schedule.model.NodeOffer;
import io.remuda.coordinator.schedule.model.NodeOffer.Amount;
import io.remuda.coordinator.schedule.model.NodeOffer.Presence;
import io.remuda.telemetry.model.DeviceId;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.UnaryOperator;

/** Nodes of a table, and what they have free while tasks are placed on them. */
final class SimulatedNodes {

  /** Memory of each GPU: a thousandth of a GPU is one of these bytes. */
  static final long GPU_BYTES = 1000;

  /** Label of a node with the model of its GPUs. */
  static final String MODEL_LABEL = "gpu-model";

  private static final List<String> COLUMNS =
      List.of("sn", "cpu_milli", "memory_mib", "gpu", "model");
  private static final int MOST_GPUS = 64;
  private static final long MIB = 1 << 20;

  private SimulatedNodes() {}

  /** Returns what the nodes of a table {@code sn,cpu_milli,memory_mib,gpu,model} have. */
  static List<NodeOffer> read(Path file, UnaryOperator<Path> finder)
      throws IOException, BadTableException {
    CsvTable table = CsvTable.read(file, finder, COLUMNS);
    List<NodeOffer> nodes = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (CsvTable.Row row : table.rows()) {
      nodes.add(node(row, row.unique("sn", names)));
    }
    if (nodes.isEmpty()) {
      throw new BadTableException(file + ": it has no nodes below the heading");
    }
    return nodes;
  }

  private static NodeOffer node(CsvTable.Row row, String name) throws BadTableException {
    long cpus = row.whole("cpu_milli", 0, Long.MAX_VALUE);
    long memory = mebibytes(row.whole("memory_mib", 0, Long.MAX_VALUE / MIB));
    long gpus = row.whole("gpu", 0, MOST_GPUS);
    String model = row.text("model");
    List<DeviceOffer> devices = new ArrayList<>();
    for (int index = 0; index < gpus; index++) {
      DeviceId id = new DeviceId(name + "/" + index);
      devices.add(new DeviceOffer(id, model, GPU_BYTES, GPU_BYTES, DeviceOffer.Standing.FREE));
    }
    return new NodeOffer(
        name,
        name,
        Presence.READY,
        Map.of("node", name, MODEL_LABEL, model),
        new Amount(cpus, cpus),
        new Amount(memory, memory),
        devices,
        OptionalLong.empty());
  }

  /**
   * Returns a node with GPUs for jobs that ask for nothing else.
   *
   * @param gpuMemory bytes of each GPU
   */
  static NodeOffer sharing(String name, int gpus, long gpuMemory) {
    List<DeviceOffer> devices = new ArrayList<>();
    for (int index = 0; index < gpus; index++) {
      DeviceId id = new DeviceId(name + "/" + index);
      devices.add(new DeviceOffer(id, "GPU", gpuMemory, gpuMemory, DeviceOffer.Standing.FREE));
    }
    return new NodeOffer(
        name,
        name,
        Presence.READY,
        Map.of("node", name),
        new Amount(0, 0),
        new Amount(0, 0),
        devices,
        OptionalLong.empty());
  }

  static long mebibytes(long count) {
    return count * MIB;
  }

  /** Returns the index of a device on its node. */
  static String index(DeviceId device) {
    return device.uuid().substring(device.uuid().lastIndexOf('/') + 1);
  }
}
